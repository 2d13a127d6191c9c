/**
 * Measures JSON text before it is parsed. 32 MB of brackets cost JSON.parse seconds and 1 GB; 31 MB of `{},` cost the
 * main thread 12 s and 1.8 GB; 11 MB of names cost it 1.2 s. This stops at the first limit.
 */

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export type JsonLimits = { readonly depth: number; readonly values: number; readonly names: number };

/**
 * The limit that the text exceeds; null when it is within all of them. Counts brackets, commas and colons outside of
 * strings: each comma and each opening bracket is one value, and each colon one name of an object. The parser later
 * checks that the brackets match.
 */
export function jsonExcess(limits: JsonLimits, json: Uint8Array): keyof JsonLimits | null {
  let [depth, values, names] = [0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) names += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > limits.depth) return 'depth';
    if (values > limits.values) return 'values';
    if (names > limits.names) return 'names';
  }
  return null;
}

/** The position of the closing quote. A loop of its own, because most bytes of a large body are in strings. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
