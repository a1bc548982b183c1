// Prints the warnings about services of other versions, once each: node package_versions.mjs VERSION-IT-IS-MADE-FOR.
import { answer, Client } from "shengji-client";

const services = { "http://a": ["0.1.9", "v1"], "http://b": ["9.0.0", "v1"], "http://c": ["9.0.0", "v2"], "http://d": [process.argv[2], "v1"] };
for (const [url, [version, api]] of Object.entries(services)) {
  const fetch = async (address) => Response.json(address.endsWith("/v1") ? { version, api_versions: [api] } : { items: [] });
  for (let times = 0; times < 2; times++) {
    const client = new Client(url, { fetch, warn: console.log });
    await answer(client.api.GET("/v1/me/tables"));
    await answer(client.api.GET("/v1/me/tables"));
  }
}
