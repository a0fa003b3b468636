/** What the page carries: its mode and the streams inside it. */

export interface PageData {
  mode: "file" | "live";
  streams: { name: string; bytes: () => Uint8Array }[];
}

export function readPage(): PageData {
  let mode: PageData["mode"] = "file";
  try {
    const settings = JSON.parse(document.getElementById("fender-page")?.textContent ?? "{}") as { mode?: string };
    if (settings.mode === "live") mode = "live";
  } catch {
    // Without settings it is a file.
  }
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="application/vnd.fender.stream"]')];
  return { mode, streams: scripts.map((script) => ({ name: script.dataset.name ?? "", bytes: () => take(script) })) };
}

function take(script: HTMLScriptElement): Uint8Array {
  const text = script.textContent ?? "";
  script.remove();
  return fromBase64(text);
}

const CODES = new Uint8Array(128);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((c, i) => {
  CODES[c.charCodeAt(0)] = i;
});

/** Base64 to bytes. By hand: `atob` makes a string of 15 million characters first, and stops at the first wrong one. */
export function fromBase64(text: string): Uint8Array {
  const clean = text.trim().replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4));
  for (let i = 0, o = 0; o < bytes.length; i += 4) {
    const word = (CODES[clean.charCodeAt(i) & 127] << 18) | (CODES[clean.charCodeAt(i + 1) & 127] << 12) |
      (CODES[clean.charCodeAt(i + 2) & 127] << 6) | CODES[clean.charCodeAt(i + 3) & 127];
    bytes[o++] = word >> 16;
    if (o < bytes.length) bytes[o++] = (word >> 8) & 255;
    if (o < bytes.length) bytes[o++] = word & 255;
  }
  return bytes;
}
