/**
 * Measures JSON text before it is parsed. 32 MB of brackets cost JSON.parse seconds and 1 GB; 31 MB of `{},` cost the main thread 12 s and
 * 1.8 GB. This stops at the first limit.
 */

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export type JsonLimits = { readonly depth: number; readonly values: number };

/**
 * The limit that the text exceeds; null when it is within both. Counts brackets and commas outside of strings: each comma and each opening
 * bracket is one value. The parser later checks that the brackets match.
 */
export function jsonExcess(limits: JsonLimits, json: Uint8Array): keyof JsonLimits | null {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
      continue;
    }
    if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > limits.depth) return 'depth';
    if (values > limits.values) return 'values';
  }
  return null;
}
