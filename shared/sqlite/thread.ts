/** The handle of the main thread to one database thread: calls with results, a bounded queue, and an orderly end. */
import { Worker } from 'node:worker_threads';
import { DeadlineError, DependencyError } from '../kernel/errors.js';
import type { ThreadOptions, ThreadReply, ThreadRequest } from './database-thread.js';
import type { Procedure } from './host.js';
import { deserializeError } from './serialized-error.js';

/** Most calls that wait for one thread; further calls are rejected. */
export const QUEUE_LIMIT = 1_000;

/** Rows live only for a moment, so space for a few results is enough; by default V8 would take 48 MB for each thread. */
const YOUNG_GENERATION_MB = 8;

export interface Thread {
  call<A, R>(called: Procedure<A, R>, args: A): Promise<R>;
  /** The number of calls that wait for their result. */
  pending(): number;
  isAlive(): boolean;
  /** Finishes the earlier calls, then ends the thread. */
  close(): Promise<void>;
}

type PendingCall = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

/** Resolves when the connection is open. Calls `onThreadEnd` when the thread ends before `close`. */
export async function openThread(options: ThreadOptions, onThreadEnd: (error: Error) => void): Promise<Thread> {
  const worker = new Worker(new URL('./database-thread.js', import.meta.url), {
    workerData: options,
    name: `sqlite-${options.role}`,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const waiting = new Map<number, PendingCall>();
  let lastId = 0;
  let ended: Error | null = null;
  let cause: unknown;

  worker.on('message', (reply: ThreadReply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) call?.reject(deserializeError(reply.error));
    else call?.resolve(reply.result);
  });
  worker.on('error', (error) => {
    cause = error;
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  void exited.then(() => {
    const threadEnded = (outcomeUnknown: boolean): Error =>
      new DependencyError('journal', 'A database thread has ended: restart the service; its log says why', {
        cause,
        outcomeUnknown,
      });
    for (const call of waiting.values()) call.reject(threadEnded(options.role === 'writer'));
    waiting.clear();
    if (ended !== null) return;
    ended = threadEnded(false);
    onThreadEnd(ended);
  });

  await new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject })).catch(async (error: unknown) => {
    ended ??= new DependencyError('journal', 'The database did not open', { cause: error });
    await exited;
    throw error;
  });

  function post<R>(request: Exclude<ThreadRequest, 'close'>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      worker.postMessage(request);
      // The type of the procedure is also the type of the result.
      waiting.set(request.id, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  return {
    async call<A, R>(called: Procedure<A, R>, args: A): Promise<R> {
      if (ended) throw ended;
      if (waiting.size >= QUEUE_LIMIT)
        throw new DeadlineError(`The database is busy: ${QUEUE_LIMIT} requests already wait; try again`);
      return post<R>({ id: (lastId += 1), url: called.url, name: called.name, args });
    },
    pending: () => waiting.size,
    isAlive: () => ended === null,
    close: async () => {
      if (ended === null) {
        ended = new DependencyError('journal', 'The database is closed: the service is stopping');
        worker.postMessage('close' satisfies ThreadRequest);
      }
      await exited;
    },
  };
}
