/** The ids of pattern memories: the same for a type in every deployment and at every time, so that no two are ever made of one type. */
import { createHash } from 'node:crypto';
import type { MemoryId } from '../../shared/contract/memory.js';

/** Ours; it must never change. */
const NAMESPACE = '5b1c1f0e-6a57-4c0b-9d5e-2f6f0c1a7e42';

/** A UUID of version 5 (RFC 9562): SHA-1 over the namespace and the name. */
export function patternId(type: string): MemoryId {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(`pattern:${type}`)
    .digest()
    .subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5') as MemoryId; // a UUID in lower case
}
