/** Reads a JSON body: limited in size and depth, an object, and without values that no database can store. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
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
    throw new ValidationError(missing, null, compressedBody(request.headers) ?? (await notJson(parsed.mistake)));
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
export async function notJson(mistaken: MistakenText): Promise<Help> {
  if (mistaken.text.trim() === '') return { detail: 'The body is empty.', hint: SEND_JSON };
  const { jsonMistake } = await import('./json-mistake.js'); // not loaded for texts that are JSON
  return { detail: `The body is not JSON: ${jsonMistake(mistaken)}.`, hint: 'Correct the JSON text.' };
}

/** For JSON that is not an object. */
export function notAnObject(value: unknown): Help {
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : NOUNS[typeof value];
  return { detail: `The body is ${found ?? 'another value'}, not an object.`, hint: SEND_JSON };
}

const NOUNS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };
