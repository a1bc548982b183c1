// Shows the service's own document; tokens typed in stay in the page.

const WithoutApps = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (spec) => {
          // Its dialog would send players to an address that does not lead back here; a token can be typed in.
          delete spec.components?.securitySchemes?.app;
          return original(spec);
        },
      },
    },
  },
};

SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#docs",
  plugins: [WithoutApps],
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  withCredentials: false,
});
