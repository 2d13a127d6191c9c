/**
 * Sends a response without a known end: the headers immediately, then the text that the handler writes, as fast as the
 * client reads it.
 */
import type { ServerResponse } from 'node:http';
import type { Logger } from '../kernel/logger.js';
import { withoutSpan } from '../kernel/tracing/tracing.js';
import type { EdgeContext } from './edge-state.js';
import type { ReplySink, StreamReply } from './handler.js';

/** The last text may take this long to be sent; a client that does not read it is then cut. */
const FLUSH_MS = 2_000;

/**
 * Resolves when the response has ended. A failed stream of events just ends: its client already has the status, and
 * connects again.
 */
export async function sendStream(
  context: EdgeContext,
  { status, headers = {}, stream, cutOnFailure }: StreamReply,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
): Promise<void> {
  const {
    res,
    state: { signal: gone, requestId, operation },
  } = context;
  context.respond = false; // otherwise Koa would end the response here
  context.status = status;
  context.set(headers);
  res.on('error', (error) => logger.debug({ err: error, requestId }, 'client disconnected from its stream'));
  res.flushHeaders();
  if (context.method !== 'HEAD') {
    await withoutSpan(() => stream(sinkOf(res, gone, stopping))).catch((error: unknown) => {
      logger.error({ err: error, requestId, operation }, 'stream failed');
      if (cutOnFailure) res.destroy();
    });
  }
  await end(res, gone);
}

function sinkOf(res: ServerResponse, gone: AbortSignal, stopping: AbortSignal): ReplySink {
  return {
    gone,
    stopping,
    write: async (piece, timeoutMs) => {
      if (gone.aborted) return 'gone';
      return res.write(piece) ? 'taken' : waitForDrain(res, gone, timeoutMs);
    },
  };
}

function waitForDrain(
  res: ServerResponse,
  gone: AbortSignal,
  timeoutMs: number,
): Promise<'taken' | 'stalled' | 'gone'> {
  return new Promise((resolve) => {
    const settle = (outcome: 'taken' | 'stalled' | 'gone') => (): void => {
      clearTimeout(timer);
      res.off('drain', taken);
      gone.removeEventListener('abort', clientGone);
      resolve(outcome);
    };
    const [taken, clientGone] = [settle('taken'), settle('gone')];
    const timer = setTimeout(settle('stalled'), timeoutMs);
    res.once('drain', taken);
    gone.addEventListener('abort', clientGone, { once: true });
  });
}

function end(res: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted || res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), FLUSH_MS);
    res.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    res.end();
  });
}
