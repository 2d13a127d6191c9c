/** Reads the headers that make a command repeatable, conditional and traceable. */
import { IDEMPOTENCY_KEY_LENGTH_LIMIT } from '../../contract/limits.js';
import { ValidationError } from '../../kernel/errors.js';

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/u;
const POSITION = /^\d{1,15}$/u;
/** An ETag of a memory. A proxy that compresses makes it weak (`W/"7"`); the revision in it is the same. */
const REVISION = /^(?:(?:W\/)?"(?<quoted>\d{1,15})"|(?<bare>\d{1,15}))$/u;

export function readIdempotencyKey(header: string): string {
  if (header.length <= IDEMPOTENCY_KEY_LENGTH_LIMIT && PRINTABLE_ASCII.test(header)) return header;
  const text = `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_LENGTH_LIMIT} printable ASCII characters`;
  throw new ValidationError(text, 'Idempotency-Key');
}

/** Revisions as in the ETag (`"7"`, `W/"7"`), or without quotes, separated by commas; or `*`. */
export function readIfMatch(header: string): readonly number[] | '*' {
  const text = header.trim();
  return text === '*' ? '*' : text.split(',').map(readRevision);
}

function readRevision(tag: string): number {
  const { quoted, bare } = REVISION.exec(tag.trim())?.groups ?? {};
  const revision = quoted ?? bare;
  if (revision === undefined)
    throw new ValidationError('If-Match must be an ETag of the memory, such as "7", a list of them, or *', 'If-Match');
  return Number(revision);
}

/** The id of the last event that the caller received; null for a blank header. */
export function readLastEventId(header: string): number | null {
  const text = header.trim();
  if (text === '') return null;
  if (!POSITION.test(text))
    throw new ValidationError(
      'Last-Event-ID must be the id of an event of the stream, a whole number from 0',
      'Last-Event-ID',
    );
  return Number(text);
}
