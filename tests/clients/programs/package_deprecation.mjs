// Prints the warnings about an operation that goes, once.
import { answer, Client } from "shengji-client";

const headers = { Deprecation: "@1798761600", Sunset: "Sun, 02 Jan 2028 00:00:00 GMT" };
const fetch = async (address) =>
  address.endsWith("/v1")
    ? Response.json({ version: process.argv[2], api_versions: ["v1"] })
    : Response.json({ items: [] }, address.endsWith("/tables") ? { headers } : {});
const client = new Client("http://a", { fetch, warn: console.log });
await answer(client.api.GET("/v1/me/tables"));
await answer(client.api.GET("/v1/me/tables"));
await answer(client.api.GET("/v1/me/games"));
