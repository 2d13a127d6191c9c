/** Puts an answer on the wire: JSON, with the headers that it brings. */
import type { Logger } from '../kernel/logger.js';
import type { EdgeContext } from './edge-state.js';
import type { Reply } from './handler.js';

/** As `writeReply`, and calls `onSent` once the answer has left. */
export function sendReply(context: EdgeContext, reply: Reply, logger: Logger): void {
  writeReply(context, reply);
  const { onSent } = reply;
  if (onSent === undefined) return;
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
