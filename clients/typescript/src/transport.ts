/** Opens event streams: with `fetch`, or where that gives no body before its end (React Native), with XMLHttpRequest. */

/** After so much text, a stream of XMLHttpRequest is opened again, as it keeps what has been read, characters. */
const MOST_KEPT = 2_000_000;

/** An open stream: its status, and its text as it comes. */
export interface Opened {
  status: number;
  text: AsyncIterable<string>;
}

/** A stream that the service may have refused. */
type Answered = Opened & { refused?: Response };

/** Whether `fetch` gives the body of a response as it comes. */
export const canStream = (): boolean => typeof Response !== "undefined" && "body" in Response.prototype;

/** Open a stream with `fetch`. */
export async function openByFetch(
  fetch: (url: string, how: RequestInit) => Promise<Response>,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Answered> {
  const answered = await fetch(url, { headers, signal, redirect: "manual", cache: "no-store" });
  if (!answered.ok) return { status: answered.status, text: decoded(null), refused: answered };
  return { status: answered.status, text: decoded(answered.body) };
}

async function* decoded(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** Open a stream with XMLHttpRequest. It follows redirects, which cannot be turned off. */
export function openByXhr(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answered> {
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  let wake = () => {};
  async function* arriving(): AsyncGenerator<string> {
    try {
      for (let read = 0; read < MOST_KEPT; ) {
        const text = request.responseText.slice(read);
        read += text.length;
        if (text) yield text;
        else if (request.readyState === XMLHttpRequest.DONE) return;
        else await new Promise<void>((done) => (wake = done));
      }
    } finally {
      signal.removeEventListener("abort", stop);
      request.abort();
    }
  }
  return new Promise((opened, fail) => {
    request.open("GET", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.onreadystatechange = () => {
      const { readyState, status } = request;
      if (readyState === XMLHttpRequest.HEADERS_RECEIVED && status >= 200 && status < 300) opened({ status, text: arriving() });
      wake();
    };
    request.onprogress = () => wake();
    request.onload = () => opened({ status: request.status, text: arriving(), refused: refusal(request) });
    request.onerror = request.ontimeout = request.onabort = () => {
      fail(new Error(`no connection to ${url}`));
      wake();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) fail(new Error("aborted"));
    else request.send();
  });
}

function refusal(request: XMLHttpRequest): Response {
  const after = request.getResponseHeader("Retry-After");
  return new Response(request.responseText, { status: request.status, headers: after === null ? {} : { "Retry-After": after } });
}
