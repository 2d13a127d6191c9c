/** The hashes that recognize a repeated command: by its key and by its content. */
import { createHash } from 'node:crypto';

/** Tokens are not part of the request and must not be stored. */
const TOKEN_PARAMETERS = ['api_key', 'admin_token'];

type HashedRequest = {
  readonly method: string;
  /** With the memory id in its normal form. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body as received; null without a body. */
  readonly bytes: Buffer | null;
};

/** The hash of method, path, query and body. */
export function requestHashOf({ method, path, query, bytes }: HashedRequest): string {
  const asked = new URLSearchParams(query);
  for (const name of TOKEN_PARAMETERS) asked.delete(name);
  const hash = createHash('sha256').update(JSON.stringify([method, path, asked.toString()]));
  if (bytes !== null) hash.update(bytes);
  return hash.digest('hex');
}

/** The hash of several texts; the boundaries between the texts count. */
export function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
