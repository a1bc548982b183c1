// Shows the service's own document; tokens typed in stay in the page.

const HERE = new URL(".", location.href).href.replace(/\/$/, "");
const Own = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (spec) => {
          // Its dialog would send players to an address that does not lead back here; a token can be typed in.
          delete spec.components?.securitySchemes?.app;
          // The service may lie below a path of its gateway.
          spec.servers = [{ url: HERE }];
          return original(spec);
        },
      },
    },
  },
};

SwaggerUIBundle({
  url: `${HERE}/openapi.yaml`,
  dom_id: "#docs",
  plugins: [Own],
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  withCredentials: false,
});
