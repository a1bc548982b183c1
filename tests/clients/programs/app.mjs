// A third-party app: asks a player for a token, and prints what the service answers.
// Usage: app.mjs ISSUER SCOPE. Prints the address to open in a browser, then a line of JSON.
import { createServer } from "node:http";
import * as oauth from "oauth4webapi";

const [issuer, scope] = [new URL(process.argv[2]), process.argv[3]];
const insecure = { [oauth.allowInsecureRequests]: true };
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }));
const client = { client_id: "strangers-app" };
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();

const back = createServer();
await new Promise((listens) => back.listen(0, "127.0.0.1", listens));
const redirect = `http://127.0.0.1:${back.address().port}/back`;

const address = new URL(server.authorization_endpoint);
address.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirect,
  response_type: "code",
  scope,
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});
console.log(address.href);

const [request, response] = await new Promise((comes) => back.on("request", (...both) => comes(both)));
response.end("Welcome back");
const led = oauth.validateAuthResponse(server, client, new URL(request.url, redirect), state);
const answer = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), led, redirect, verifier, insecure);
const token = await oauth.processAuthorizationCodeResponse(server, client, answer);
const tables = await oauth.protectedResourceRequest(token.access_token, "GET", new URL(`${process.argv[2]}/v1/me/tables`), undefined, undefined, insecure);
const revoked = await oauth.revocationRequest(server, client, oauth.None(), token.access_token, insecure);
await oauth.processRevocationResponse(revoked);
console.log(JSON.stringify({ scope: token.scope, expires_in: token.expires_in, tables: (await tables.json()).items }));
process.exit(0);
