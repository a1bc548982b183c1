/** Files that the page makes. */

/** Have the browser store a text. @param {string} text @param {string} type @param {string} name of the file */
export function download(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
