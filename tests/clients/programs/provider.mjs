// A third-party OpenID provider. Usage: provider.mjs PORT REDIRECT_URI. Prints a line once it answers.
import Provider from "oidc-provider";

const [port, redirect] = process.argv.slice(2);
const client = { client_id: "play", client_secret: "a-secret-of-the-tests", redirect_uris: [redirect] };
const provider = new Provider(`http://127.0.0.1:${port}`, { clients: [client], pkce: { required: () => true } });
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
