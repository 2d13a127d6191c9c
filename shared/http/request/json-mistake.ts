/** Describes the first mistake in a text that is not JSON. */
import jsonc from 'jsonc-parser';
import type { MistakenText } from './parse-json.js';

/** By the code of jsonc-parser: what it expected, or what is wrong with what it found. */
const EXPECTED: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  InvalidSymbol: 'a value, or a name in double quotes,',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma or the end of the list or object',
  CloseBraceExpected: 'a comma or }',
  CloseBracketExpected: 'a comma or ]',
};
const FOUND: Readonly<Record<string, string>> = {
  EndOfFileExpected: 'more text after the end of the value',
  UnexpectedEndOfString: 'a string without its closing quote',
  InvalidUnicode: 'a backslash without a valid escape',
  InvalidEscapeCharacter: 'a backslash without a valid escape',
  InvalidCharacter: 'a line break or control character inside a string',
  InvalidNumberFormat: 'a number that is not valid',
  InvalidCommentToken: 'a comment',
  UnexpectedEndOfComment: 'a comment',
};

/**
 * Describes the first mistake in a text that JSON.parse rejects. The messages of V8 quote the text, differ between
 * releases of Node, and have no position in some of them. What the text has where JSON allows something else, with its
 * line and column.
 */
export function jsonMistake({ text, line = 1, column = 1 }: MistakenText): string {
  const first = firstError(text);
  if (first === null) return 'a mistake';
  const at = (offset: number): string => positionOf(text, offset, { line, column });
  const code = jsonc.printParseErrorCode(first.error);
  // A comma that is too much is easier to find than the bracket after it.
  const before = text.slice(0, first.offset).trimEnd();
  if (before.endsWith(',') && (code === 'PropertyNameExpected' || code === 'ValueExpected'))
    return `a comma before ${text[first.offset] ?? 'the end of the text'} at ${at(before.length - 1)}`;
  const mistake = FOUND[code] ?? unexpected(text, first.offset, EXPECTED[code] ?? 'something else');
  return `${mistake} at ${at(first.offset)}`;
}

/** Reads the text up to its first mistake only. */
function firstError(text: string): Pick<jsonc.ParseError, 'error' | 'offset'> | null {
  let found: Pick<jsonc.ParseError, 'error' | 'offset'> | null = null;
  const onError = (error: jsonc.ParseErrorCode, offset: number): never => {
    found = { error, offset };
    throw new SyntaxError('The first mistake ends the search');
  };
  try {
    jsonc.visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}

function unexpected(text: string, offset: number, wanted: string): string {
  const [found = ''] = text.slice(offset, offset + 2);
  if (found === '') return `the end of the text in place of ${wanted}`;
  return `${found === "'" ? 'a single quote' : `the character ${JSON.stringify(found)}`} in place of ${wanted}`;
}

const LINE_FEED = 0x0a;

/** Line and column count from 1. A list of the lines takes seconds for a text of line feeds. */
function positionOf(text: string, offset: number, begin: { readonly line: number; readonly column: number }): string {
  let { line, column } = begin;
  for (let at = 0; at < offset; at += 1) {
    if (text.charCodeAt(at) === LINE_FEED) [line, column] = [line + 1, 1];
    else column += 1;
  }
  return `line ${line}, column ${column}`;
}
