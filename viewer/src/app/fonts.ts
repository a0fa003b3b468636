/** The font that the page carries (style.css, src/fonts): text has the same widths on every computer. */

/** Settles once both weights can be drawn with. A browser that refuses them shows the page in a font of its own. */
export const fontsReady: Promise<void> = (async () => {
  await Promise.allSettled(["400", "700"].map((weight) => document.fonts.load(`${weight} 1rem "Fender Sans"`)));
  await document.fonts.ready;
})();
