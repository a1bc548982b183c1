/** Rules for the modules of the page. */
import jsdoc from "eslint-plugin-jsdoc";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";

/** Sources that are tables of data: texts, lessons. */
const TABLES = ["**/texts/*.js", "**/lessons/lessons.js", "**/lessons/words.js"];

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: "latest", sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { jsdoc, hooks },
    settings: { jsdoc: { mode: "typescript" } },
    rules: {
      complexity: ["error", 15],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "max-len": [
        "error",
        { code: 120, ignorePattern: "^\\s*(\\w+: |[\"'`]|text\\()", ignoreStrings: true, ignoreUrls: true },
      ],
      "hooks/rules-of-hooks": "error",
      "jsdoc/check-param-names": ["error", { checkDestructured: false }],
      "jsdoc/check-syntax": "error",
      "jsdoc/check-tag-names": ["error", { typed: false }], // tsc checks the types
      "jsdoc/require-param-type": "error",
      "consistent-return": "off", // tsc knows better
      "array-callback-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-constructor-return": "error",
      "no-dupe-else-if": "error",
      "no-else-return": "error",
      "no-implicit-globals": "error",
      "no-lonely-if": "error",
      "no-self-compare": "error",
      "no-undef": "error",
      "no-unreachable": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["**/service-worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: TABLES, rules: { "max-lines": "off", "max-lines-per-function": "off", "max-len": "off" } },
];
