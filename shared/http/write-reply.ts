/** Sends a reply with its headers: as JSON, as text or as a stream. */
import type { Logger } from '../kernel/logger.js';
import type { EdgeContext } from './edge-state.js';
import type { BodyReply, Reply, TextReply } from './handler.js';
import { sendStream } from './send-stream.js';

/**
 * Sends a reply, streamed or as a whole, and calls `onSent` after it was sent. Resolves when everything was written.
 */
export async function sendReply(
  context: EdgeContext,
  reply: Reply,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
): Promise<void> {
  if (reply.onSent !== undefined) callOnceSent(context, reply.onSent, logger);
  if (isUnchanged(context, reply)) writeNotModified(context, reply);
  else if ('stream' in reply) await sendStream(context, reply, { logger, stopping });
  else writeReply(context, reply);
}

function callOnceSent(context: EdgeContext, onSent: () => void, logger: Logger): void {
  const { signal, requestId, operation } = context.state;
  context.res.once('finish', () => {
    if (signal.aborted) return;
    try {
      onSent();
    } catch (error) {
      // The response was already sent, so only the log can report this. A throw here would end the process.
      logger.error({ err: error, requestId, operation }, 'onSent handler failed');
    }
  });
}

function writeNotModified(context: EdgeContext, { headers = {} }: Reply): void {
  context.set(headers);
  context.status = 304;
}

export function writeReply(context: EdgeContext, reply: BodyReply | TextReply): void {
  context.status = reply.status;
  context.set(reply.headers ?? {});
  if ('text' in reply) {
    context.body = reply.text;
    return;
  }
  context.body = JSON.stringify(reply.body);
  context.set('content-type', 'application/json');
}

const WEAK_PREFIX = /^W\//u;

/**
 * Answers a conditional GET: 304 without a body when the caller already has the representation (RFC 9110, section
 * 13.1.2). True when a tag of `If-None-Match`, weak or not, is the ETag of the reply, or when the header is `*`.
 */
function isUnchanged({ method, req }: EdgeContext, { status, headers }: Reply): boolean {
  const asked = req.headers['if-none-match'];
  const etag = headers?.['ETag'];
  if (asked === undefined || etag === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD'))
    return false;
  const tags = asked.split(',').map((tag) => tag.trim().replace(WEAK_PREFIX, ''));
  return tags.includes('*') || tags.includes(etag);
}
