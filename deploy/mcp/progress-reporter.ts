/** Tells a client that asked for it how far its call is. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { ToolCall } from './tool.js';

export type RequestExtra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

/** Says nothing without a `progressToken`. The protocol wants every notification to be further than the one before. */
export function createProgressReporter({ _meta, sendNotification }: RequestExtra, logger: Logger): ToolCall['report'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let reached = -Infinity;
  return ({ done, total, message }) => {
    if (done <= reached) return;
    reached = done;
    const params = { progressToken, progress: done, message, ...(total === undefined ? {} : { total }) };
    sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) =>
      logger.debug({ error }, 'progress could not be told'),
    );
  };
}
