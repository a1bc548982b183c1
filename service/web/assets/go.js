// A shared link goes on to its screen: what is behind the # never reached the server, and stays behind it.
location.replace(`../${location.hash.startsWith("#/") ? location.hash : ""}`);
