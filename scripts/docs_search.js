// Chinese in the search of the documentation site; appended to lunr, which takes words between spaces and drops the rest.
// Neighbouring characters are its words: 甩牌 of 甩牌失败 is found, whatever stands around it.
(() => {
  const han = /\p{Script=Han}+/gu;
  const isChinese = (word) => /\p{Script=Han}/u.test(word);
  const pairs = (run) => (run.length < 2 ? [run] : [...run.slice(1)].map((next, at) => run[at] + next));
  const words = (word) => [...word.replace(han, " ").trim().split(/\s+/), ...word.match(han).flatMap(pairs)];

  const split = lunr.tokenizer;
  lunr.tokenizer = (content, metadata) =>
    split(content, metadata).flatMap((token) => {
      if (!isChinese(token.toString())) return token;
      return words(token.toString()).map((word) => new lunr.Token(word, { ...token.metadata }));
    });

  const trim = lunr.trimmer;
  lunr.trimmer = (token) => (isChinese(token.toString()) ? token : trim(token));
  lunr.Pipeline.registerFunction(lunr.trimmer, "trimmer of all scripts");

  // Of a run, all pairs are wanted.
  const wanted = (run) => ` ${(run.length < 2 ? [`*${run}*`] : pairs(run)).map((word) => `+${word}`).join(" ")} `;
  const search = lunr.Index.prototype.search;
  lunr.Index.prototype.search = function (query) {
    return search.call(this, query.replace(han, wanted));
  };
})();
