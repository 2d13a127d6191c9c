/** Puts an answer on the wire: JSON, with the headers that it brings. */
import type { EdgeContext } from './edge-state.js';
import type { Reply } from './handler.js';

export function writeReply(context: EdgeContext, { status, body, headers = {}, onSent }: Reply): void {
  context.status = status;
  context.set(headers);
  context.body = JSON.stringify(body);
  context.set('content-type', 'application/json');
  if (onSent === undefined) return;
  context.res.once('finish', () => {
    if (!context.state.signal.aborted) onSent();
  });
}
