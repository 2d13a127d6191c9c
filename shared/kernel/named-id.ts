/** Ids that depend on a name alone. */
import { createHash } from 'node:crypto';

/** UUID namespace of this project; it must never change. */
const NAMESPACE = '5b1c1f0e-6a57-4c0b-9d5e-2f6f0c1a7e42';

/**
 * A UUID of version 5 (RFC 9562), in lower case: SHA-1 over the namespace and the name. It is the same in every
 * deployment and at every time, so that two processes never make two things of the same name.
 */
export function namedId(name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}
