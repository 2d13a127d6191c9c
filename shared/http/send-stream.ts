/** An answer without a known end: its headers leave at once, then what its handler writes, as fast as the client takes it. */
import type { ServerResponse } from 'node:http';
import type { Logger } from '../kernel/logger.js';
import type { EdgeContext } from './edge-state.js';
import type { Reply, ReplySink } from './handler.js';

/** What was written last may take so long to leave; a client that reads no more is cut off then. */
const ENDING_MS = 2_000;

type StreamReply = Omit<Reply, 'stream'> & { readonly stream: NonNullable<Reply['stream']> };

/** Resolves when the answer has ended. A stream that fails ends: its client has its status already, and comes again. */
export async function sendStream(
  context: EdgeContext,
  { status, headers = {}, stream }: StreamReply,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
): Promise<void> {
  const {
    res,
    state: { signal: gone, requestId, operation },
  } = context;
  context.respond = false; // Koa would end the answer here
  context.status = status;
  context.set(headers);
  res.on('error', (error) => logger.debug({ error, requestId }, 'a client went away from its stream'));
  res.flushHeaders();
  if (context.method !== 'HEAD') {
    await stream(sinkOf(res, gone, stopping)).catch((error: unknown) =>
      logger.error({ error, requestId, operation }, 'a stream failed and was ended'),
    );
  }
  await end(res, gone);
}

function sinkOf(res: ServerResponse, gone: AbortSignal, stopping: AbortSignal): ReplySink {
  return {
    gone,
    stopping,
    write: async (text, patienceMs) => {
      if (gone.aborted) return 'gone';
      return res.write(text) ? 'taken' : whetherTaken(res, gone, patienceMs);
    },
  };
}

function whetherTaken(
  res: ServerResponse,
  gone: AbortSignal,
  patienceMs: number,
): Promise<'taken' | 'stalled' | 'gone'> {
  return new Promise((resolve) => {
    const settle = (outcome: 'taken' | 'stalled' | 'gone') => (): void => {
      clearTimeout(timer);
      res.off('drain', taken);
      gone.removeEventListener('abort', left);
      resolve(outcome);
    };
    const [taken, left] = [settle('taken'), settle('gone')];
    const timer = setTimeout(settle('stalled'), patienceMs);
    res.once('drain', taken);
    gone.addEventListener('abort', left, { once: true });
  });
}

function end(res: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), ENDING_MS);
    res.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    res.end();
  });
}
