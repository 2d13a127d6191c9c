/** Reads a JSON body: limited in size and depth, an object, and without values that no database can store. */
import type { IncomingMessage } from 'node:http';
import { BODY_LIMITS, type BodyKind } from '../../contract/limits.js';
import { ValidationError } from '../../kernel/errors.js';
import { isRecord } from '../../kernel/is-record.js';
import { EdgeError } from '../edge-error.js';
import { compressedBody, NOT_UTF8, notAnObject, notJson, wrongType } from './body-mistake.js';
import { jsonExcess } from './json-excess.js';
import { readBytes, type ReadOptions } from './read-bytes.js';
import { rejectUnstorableText } from './reject-unstorable-text.js';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/iu;

/** Validation, hashing and serialization walk a body recursively, on the stack. */
export const BODY_DEPTH_LIMIT = 100;

export type ReadBody = { readonly body: object; readonly bytes: Buffer };

/**
 * `missing` is the message when the body is not a JSON object. With `isOptional`, no body counts as an empty object.
 */
export async function readBody(
  request: IncomingMessage,
  {
    missing,
    kind,
    isOptional = false,
  }: { readonly missing: string; readonly kind: BodyKind; readonly isOptional?: boolean },
  reading: Omit<ReadOptions, 'limitBytes'> & { readonly signal: AbortSignal },
): Promise<ReadBody> {
  if (isOptional && hasNoBody(request)) return { body: {}, bytes: Buffer.alloc(0) };
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim() ?? '';
  if (!JSON_TYPE.test(mediaType)) throw new ValidationError(missing, null, wrongType(mediaType));
  const limits = BODY_LIMITS[kind];
  const bytes = await readBytes(request, { ...reading, limitBytes: limits.bytes });
  if (reading.signal.aborted) throw new EdgeError(408, 'The client closed the connection before the work began');
  const excess = jsonExcess({ ...limits, depth: BODY_DEPTH_LIMIT }, bytes);
  if (excess === 'depth')
    throw new ValidationError(`The body must not be nested deeper than ${BODY_DEPTH_LIMIT} levels`);
  if (excess !== null)
    throw new EdgeError(413, `The body holds more than ${limits[excess]} ${excess}: send it in smaller parts`);
  const json = decode(bytes);
  if (json === undefined) throw new ValidationError(missing, null, compressedBody(request.headers) ?? NOT_UTF8);
  const body = parse(json);
  if (body === undefined) throw new ValidationError(missing, null, compressedBody(request.headers) ?? notJson(json));
  if (!isRecord(body)) throw new ValidationError(missing, null, notAnObject(body));
  rejectUnstorableText(body, json);
  return { body, bytes };
}

/** By the rule of HTTP/1.1: neither a length nor chunks. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

/** Undefined when the bytes are not UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Undefined when the text is not JSON. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
