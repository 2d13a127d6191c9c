/** The hashes by which a command is known again: under its key, and by what it says. */
import { createHash } from 'node:crypto';

/** Not part of what is asked, and not to be kept anywhere. */
const TOKEN_PARAMETERS = ['api_key', 'admin_token'];

type Asked = {
  readonly method: string;
  /** With the memory id in its one spelling. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As it came; null for none. */
  readonly bytes: Buffer | null;
};

/** Of method, path, query and body. */
export function requestHashOf({ method, path, query, bytes }: Asked): string {
  const asked = new URLSearchParams(query);
  for (const name of TOKEN_PARAMETERS) asked.delete(name);
  const hash = createHash('sha256').update(JSON.stringify([method, path, asked.toString()]));
  if (bytes !== null) hash.update(bytes);
  return hash.digest('hex');
}

/** Of several texts, which cannot run into each other. */
export function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
