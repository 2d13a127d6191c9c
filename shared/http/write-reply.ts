/** Puts an answer on the wire: JSON, with the headers that it brings. */
import type { Logger } from '../kernel/logger.js';
import type { EdgeContext } from './edge-state.js';
import type { Reply } from './handler.js';
import { sendStream } from './send-stream.js';

/** As `writeReply`, or piece by piece, and calls `onSent` once the answer has left. Resolves when all of it was written. */
export async function sendReply(
  context: EdgeContext,
  reply: Reply,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
): Promise<void> {
  const { stream, onSent } = reply;
  if (onSent !== undefined) callOnceSent(context, onSent, logger);
  if (stream === undefined) writeReply(context, reply);
  else await sendStream(context, { ...reply, stream }, { logger, stopping });
}

function callOnceSent(context: EdgeContext, onSent: () => void, logger: Logger): void {
  const { signal, requestId, operation } = context.state;
  context.res.once('finish', () => {
    if (signal.aborted) return;
    try {
      onSent();
    } catch (error) {
      // The answer is gone, nobody else can be told; thrown from here it would end the process.
      logger.error({ error, requestId, operation }, 'what was to follow an answer failed');
    }
  });
}

export function writeReply(context: EdgeContext, { status, body, headers = {} }: Reply): void {
  context.status = status;
  context.set(headers);
  context.body = JSON.stringify(body);
  context.set('content-type', 'application/json');
}
