/** Reads a JSON body: limited in size and depth, an object, and without values that no database can store. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import jsonc from 'jsonc-parser';
import { BODY_LIMITS, type BodyKind } from '../../contract/limits.js';
import { type Help, ValidationError } from '../../kernel/errors.js';
import { isRecord } from '../../kernel/is-record.js';
import { shorten } from '../../kernel/shorten.js';
import { EdgeError } from '../edge-state.js';
import { measureJson, type MistakenText, parseJson, rejectUnstorableBody } from './parse-json.js';
import { readBytes, type ReadOptions } from './read-bytes.js';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/iu;

/** Validation, hashing and serialization walk a body recursively, on the stack. */
export const BODY_DEPTH_LIMIT = 100;

export type ReadBody = { readonly body: object; readonly bytes: Buffer };

export type ReadBodyOptions = Omit<ReadOptions, 'limitBytes'> & {
  readonly signal: AbortSignal;
  /** Waits until the work of a body of so many bytes may begin. Reading it is no work. */
  readonly begin: (bytes: number) => Promise<void>;
};

/** `missing`: the message for a body that is no JSON object. `isOptional`: no body is an empty object. */
export async function readBody(
  request: IncomingMessage,
  {
    missing,
    kind,
    isOptional = false,
  }: { readonly missing: string; readonly kind: BodyKind; readonly isOptional?: boolean },
  { begin, ...reading }: ReadBodyOptions,
): Promise<ReadBody> {
  if (isOptional && hasNoBody(request)) {
    await begin(0);
    return { body: {}, bytes: Buffer.alloc(0) };
  }
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim() ?? '';
  if (!JSON_TYPE.test(mediaType)) throw new ValidationError(missing, null, wrongType(mediaType));
  const limits = BODY_LIMITS[kind];
  const bytes = await readBytes(request, { ...reading, limitBytes: limits.bytes });
  if (reading.signal.aborted) throw new EdgeError(408, 'The client closed the connection before the work began');
  await begin(bytes.length);
  const { excess, list } = await measureJson({ ...limits, depth: BODY_DEPTH_LIMIT }, bytes);
  if (excess === 'depth')
    throw new ValidationError(`The body must not be nested deeper than ${BODY_DEPTH_LIMIT} levels`);
  if (excess !== null)
    throw new EdgeError(413, `The body holds more than ${limits[excess]} ${excess}: send it in smaller parts`);
  if (!isUtf8(bytes)) throw new ValidationError(missing, null, compressedBody(request.headers) ?? NOT_UTF8);
  const parsed = await parseJson(bytes, list);
  if ('mistake' in parsed)
    throw new ValidationError(missing, null, compressedBody(request.headers) ?? notJson(parsed.mistake));
  const { value: body, isSuspicious } = parsed;
  if (!isRecord(body)) throw new ValidationError(missing, null, notAnObject(body));
  if (isSuspicious) await rejectUnstorableBody(body);
  return { body, bytes };
}

/** By the rule of HTTP/1.1: neither a length nor chunks. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

const SEND_JSON = 'Send a JSON object with Content-Type: application/json.';

export function wrongType(mediaType: string): Help {
  const detail =
    mediaType === ''
      ? 'The request has no Content-Type.'
      : `The Content-Type is ${JSON.stringify(shorten(mediaType))}.`;
  return { detail, hint: SEND_JSON };
}

/** Null for a body without compression. */
export function compressedBody({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): Help | null {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  return {
    detail: `The body is compressed (Content-Encoding: ${shorten(encoding)}).`,
    hint: 'Send the body without compression.',
  };
}

export const NOT_UTF8: Help = { detail: 'The body is not UTF-8.', hint: 'Encode the JSON text as UTF-8.' };

/** For a text that is not JSON. */
export function notJson(mistaken: MistakenText): Help {
  if (mistaken.text.trim() === '') return { detail: 'The body is empty.', hint: SEND_JSON };
  return { detail: `The body is not JSON: ${jsonMistake(mistaken)}.`, hint: 'Correct the JSON text.' };
}

/** For JSON that is not an object. */
export function notAnObject(value: unknown): Help {
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : NOUNS[typeof value];
  return { detail: `The body is ${found ?? 'another value'}, not an object.`, hint: SEND_JSON };
}

const NOUNS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };

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
