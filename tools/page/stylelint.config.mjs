/** Rules for the styles of the page. */
export default {
  extends: "stylelint-config-recommended",
  rules: {
    "no-descending-specificity": null, // rules stand in the order of the page
  },
};
