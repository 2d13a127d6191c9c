/** Answers a conditional GET: 304 without a body when the caller already has the representation (RFC 9110, section 13.1.2). */
import type { EdgeContext } from './edge-state.js';
import type { Reply } from './handler.js';

const WEAK_PREFIX = /^W\//u;

/** True when a tag of `If-None-Match`, weak or not, is the ETag of the reply, or when the header is `*`. */
export function isUnchanged({ method, req }: EdgeContext, { status, headers }: Reply): boolean {
  const asked = req.headers['if-none-match'];
  const etag = headers?.['ETag'];
  if (asked === undefined || etag === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD'))
    return false;
  const tags = asked.split(',').map((tag) => tag.trim().replace(WEAK_PREFIX, ''));
  return tags.includes('*') || tags.includes(etag);
}
