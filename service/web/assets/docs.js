// Shows the service's own document, in Chinese if the page brings Chinese texts; tokens typed in stay in the page.

/** Replaces the English texts of a document by those of the page. */
function translate(document, { description, tags, operations, scope }) {
  document.info.description = description;
  for (const tag of document.tags) tag.description = tags[tag.name];
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) {
      [operation.summary, operation.description] = operations[operation.operationId];
      const [needed] = operation.security[0]?.token ?? [];
      if (needed) operation.description += `\n\n${scope.replace("{scope}", needed)}`;
    }
}

const element = document.getElementById("texts");
const texts = element && JSON.parse(element.textContent);

const Translation = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (spec) => {
          // Its dialog would send players to an address that does not lead back here; a token can be typed in.
          delete spec.components?.securitySchemes?.app;
          if (texts && spec.info) translate(spec, texts);
          return original(spec);
        },
      },
    },
  },
};

SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#docs",
  plugins: [Translation],
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  withCredentials: false,
});
