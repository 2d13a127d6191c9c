/**
 * Finds the first mistake in a text that JSON.parse rejects. The messages of V8 quote the text, differ between releases of Node, and have no
 * position in some of them. Reads each character once.
 */

const BLANKS = ' \t\n\r';
const WORDS = ['true', 'false', 'null'];
const WORD_CHARACTER = /[\w.+-]/u;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** What the text has where JSON allows something else, with its line and column. */
export function jsonMistake(text: string): string {
  const reader: Reader = { text, at: 0 };
  const mistake = readDocument(reader);
  return `${mistake} at ${placeOf(text, reader.at)}`;
}

type Reader = { readonly text: string; at: number };

/** The readers below leave `at` behind what they read, or at the mistake; null means no mistake. */
function readDocument(reader: Reader): string {
  const mistake = readValue(reader);
  if (mistake !== null) return mistake;
  skipBlanks(reader);
  return reader.at < reader.text.length ? 'more text after the end of the value' : 'a mistake';
}

function readValue(reader: Reader): string | null {
  skipBlanks(reader);
  const character = reader.text[reader.at];
  if (character === '{') return readMembers(reader, { close: '}', readMember: readPair });
  if (character === '[') return readMembers(reader, { close: ']', readMember: readValue });
  if (character === '"') return readString(reader);
  return readWord(reader);
}

type Members = { readonly close: string; readonly readMember: (reader: Reader) => string | null };

/** Recursive: the depth of a body is limited before. */
function readMembers(reader: Reader, { close, readMember }: Members): string | null {
  reader.at += 1;
  if (take(reader, close)) return null;
  for (;;) {
    const mistake = readMember(reader);
    if (mistake !== null) return mistake;
    if (take(reader, close)) return null;
    const comma = reader.at;
    if (!take(reader, ',')) return unexpected(reader, `a comma or ${close}`);
    skipBlanks(reader);
    if (reader.text[reader.at] !== close) continue;
    reader.at = comma;
    return `a comma before ${close}`;
  }
}

function readPair(reader: Reader): string | null {
  skipBlanks(reader);
  if (reader.text[reader.at] !== '"') return unexpected(reader, 'a name in double quotes');
  const mistake = readString(reader);
  if (mistake !== null) return mistake;
  return take(reader, ':') ? readValue(reader) : unexpected(reader, 'a colon');
}

function readString(reader: Reader): string | null {
  const start = reader.at;
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text.charAt(reader.at);
    if (character === '"') {
      reader.at += 1;
      return null;
    }
    if (character < ' ') return 'a line break or control character inside a string';
    if (character !== '\\') continue;
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/u.test(reader.text.slice(reader.at + 1, reader.at + 6)))
      return 'a backslash without a valid escape';
    reader.at += 1;
  }
  reader.at = start;
  return 'a string without its closing quote';
}

function readWord(reader: Reader): string | null {
  let end = reader.at;
  while (WORD_CHARACTER.test(reader.text.charAt(end))) end += 1;
  const word = reader.text.slice(reader.at, end);
  if (!WORDS.includes(word) && !NUMBER.test(word)) return unexpected(reader, 'a value');
  reader.at = end;
  return null;
}

function unexpected({ text, at }: Reader, wanted: string): string {
  const [found = ''] = text.slice(at, at + 2);
  if (found === '') return `the end of the text in place of ${wanted}`;
  return `${found === "'" ? 'a single quote' : `the character ${JSON.stringify(found)}`} in place of ${wanted}`;
}

function take(reader: Reader, character: string): boolean {
  skipBlanks(reader);
  if (reader.text[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}

function skipBlanks(reader: Reader): void {
  while (reader.at < reader.text.length && BLANKS.includes(reader.text.charAt(reader.at))) reader.at += 1;
}

/** Both count from 1. */
function placeOf(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return `line ${line}, column ${at - lineStart + 1}`;
}
