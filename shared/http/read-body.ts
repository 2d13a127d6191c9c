/** Reads a JSON body: bounded, an object or nothing, and free of what no store can keep. */
import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT_BYTES } from '../contract/limits.js';
import { ValidationError } from '../kernel/errors.js';
import { isNestedDeeperThan } from './json-depth.js';
import { readBytes } from './read-bytes.js';
import { refuseUnkeepable } from './refuse-unkeepable.js';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/iu;

/** What walks a body - validation, hashing, writing it out - does so on the stack. */
export const BODY_DEPTH_LIMIT = 100;

export type ReadBody = { readonly body: object; readonly bytes: Buffer };

/** `missing` is what a caller is told who sent no JSON object; `isOptional` takes no body at all for an empty one. */
export async function readBody(
  request: IncomingMessage,
  { missing, isOptional = false }: { readonly missing: string; readonly isOptional?: boolean },
): Promise<ReadBody> {
  if (isOptional && hasNoBody(request)) return { body: {}, bytes: Buffer.alloc(0) };
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim() ?? '';
  if (!JSON_TYPE.test(mediaType)) throw new ValidationError(missing);
  const bytes = await readBytes(request, BODY_LIMIT_BYTES);
  if (isNestedDeeperThan(BODY_DEPTH_LIMIT, bytes))
    throw new ValidationError(`The body must not be nested deeper than ${BODY_DEPTH_LIMIT} levels`);
  const json = decode(bytes);
  const body = json === undefined ? undefined : parse(json);
  if (json === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ValidationError(missing);
  refuseUnkeepable(body, json);
  return { body, bytes };
}

/** As HTTP/1.1 tells it: neither a length nor chunks. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

/** Undefined when it is not in UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Undefined when it is no JSON. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
