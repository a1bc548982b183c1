/** Serves the module of a receiver, as a hosting platform would: node receive.mjs <module> <port> <secret>. */
import { createServer } from "node:http";

const [module, port, SECRET] = process.argv.slice(2);
const { default: receiver } = await import(module);

createServer(async (incoming, outgoing) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const request = new Request(url, { method: incoming.method, headers: incoming.headers, body: Buffer.concat(parts) });
  const answer = await receiver.fetch(request, { SECRET });
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
}).listen(Number(port), "127.0.0.1");
