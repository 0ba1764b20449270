// A course as a part of an address: JSON, compressed, in letters that addresses allow.

/** @param {ReadableStream<any>} readable @returns {Promise<Uint8Array>} */
const bytesOf = async (readable) => new Uint8Array(await new Response(readable).arrayBuffer());

/** @param {unknown} value @returns {Promise<string>} */
export async function pack(value) {
  const bytes = await bytesOf(new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} code @returns {Promise<any>} */
export async function unpack(code) {
  try {
    const text = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")))));
  } catch {
    throw new Error("This link is damaged: it holds no game.");
  }
}

/** Copies text; false where the browser does not allow it. @param {string} text */
export const copy = (text) => navigator.clipboard.writeText(text).then(() => true, () => false);
