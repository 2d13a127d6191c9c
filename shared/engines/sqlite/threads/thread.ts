/** The handle of the main thread to one database thread: calls with results, a bounded queue, and an orderly end. */
import { Worker } from 'node:worker_threads';
import { DeadlineError, DependencyError } from '../../../kernel/errors.js';
import type { ThreadOptions, ThreadReply, ThreadRequest } from './database-thread.js';
import type { Procedure } from './host.js';
import { deserializeError } from './serialized-error.js';

/** Most calls that wait for one thread; further calls are rejected. */
export const QUEUE_LIMIT = 1_000;
/**
 * Calls that the thread has at a time: the one that runs and the next. The others wait here, where they can still be
 * rejected: a thread cannot stop a statement that runs, and reads its messages only between two calls.
 */
const READS_SENT = 2;
/** A writer gets all that may share one transaction; writes are not rejected for waiting. */
const WRITES_SENT = 64;

/**
 * Rows live only for a moment, so space for a few results is enough; by default V8 would take 48 MB for each thread.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** The other end of a thread, as `Worker` has it. */
export interface DatabaseWorker {
  postMessage(request: ThreadRequest): void;
  on(event: 'message', listener: (reply: ThreadReply) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
}

/** Starts what serves the calls. Tests pass one that serves them in their own thread. */
export type StartWorker = (options: ThreadOptions) => DatabaseWorker;

const startWorker: StartWorker = (options) =>
  new Worker(new URL('./database-thread.js', import.meta.url), {
    workerData: options,
    name: `sqlite-${options.role}`,
    resourceLimits: THREAD_LIMITS,
  });

export interface Thread {
  call<A, R>(called: Procedure<A, R>, args: A, options?: { readonly isDerived?: boolean }): Promise<R>;
  /** The number of calls that wait for their result. */
  pending(): number;
  isAlive(): boolean;
  /**
   * Ends the thread. A writer finishes the earlier calls before; a reader rejects those that it has not sent to its
   * thread.
   */
  close(): Promise<void>;
}

type Outcome = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };
type QueuedCall = Outcome & { readonly request: Exclude<ThreadRequest, 'close'>; readonly queuedAt: number };

export type Watch = {
  /** Called when the thread ends before `close`. */
  readonly onThreadEnd: (error: Error) => void;
  /** A call that waited longer than this is rejected and never begins: its caller no longer waits. */
  readonly waitLimitMs: number;
  readonly start?: StartWorker | undefined;
};

/** Resolves when the connection is open. */
export async function openThread(
  options: ThreadOptions,
  { onThreadEnd, waitLimitMs, start = startWorker }: Watch,
): Promise<Thread> {
  const worker = start(options);
  const queue: QueuedCall[] = [];
  const sent = new Map<number, Outcome>();
  let lastId = 0;
  let ended: Error | null = null;
  let cause: unknown;

  worker.on('message', (reply) => {
    const call = sent.get(reply.id);
    sent.delete(reply.id);
    if ('error' in reply) call?.reject(deserializeError(reply.error));
    else call?.resolve(reply.result);
    sendNext();
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
    for (const call of sent.values()) call.reject(threadEnded(options.role === 'writer'));
    sent.clear();
    rejectQueue(threadEnded(false));
    if (ended !== null) return;
    ended = threadEnded(false);
    onThreadEnd(ended);
  });

  await new Promise<unknown>((resolve, reject) => sent.set(0, { resolve, reject })).catch(async (error: unknown) => {
    ended ??= new DependencyError('journal', 'The database did not open', { cause: error });
    await exited;
    throw error;
  });

  function rejectQueue(error: Error): void {
    for (const call of queue.splice(0)) call.reject(error);
  }

  function sendNext(): void {
    while (sent.size < (options.role === 'writer' ? WRITES_SENT : READS_SENT)) {
      const call = queue.shift();
      if (call === undefined) return;
      if (performance.now() - call.queuedAt <= waitLimitMs) send(call);
      else call.reject(new DeadlineError(`The database did not begin the read within ${waitLimitMs} ms: try again`));
    }
  }

  function send(call: QueuedCall): void {
    sent.set(call.request.id, call);
    try {
      worker.postMessage(call.request);
    } catch (error) {
      // Arguments that cannot be cloned.
      sent.delete(call.request.id);
      call.reject(error as Error);
    }
  }

  function post<R>(request: QueuedCall['request']): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      // The type of the procedure is also the type of the result.
      queue.push({ request, queuedAt: performance.now(), resolve: resolve as (result: unknown) => void, reject });
      sendNext();
    });
  }

  function sendClose(): void {
    // The thread runs everything that was sent before.
    for (const call of queue.splice(0)) send(call);
    worker.postMessage('close');
  }

  return {
    async call<A, R>(
      called: Procedure<A, R>,
      args: A,
      { isDerived = false }: { readonly isDerived?: boolean } = {},
    ): Promise<R> {
      if (ended) throw ended;
      if (queue.length + sent.size >= QUEUE_LIMIT)
        throw new DeadlineError(`The database is busy: ${QUEUE_LIMIT} requests already wait; try again`);
      return post<R>({ id: (lastId += 1), url: called.url, name: called.name, args, isDerived });
    },
    pending: () => queue.length + sent.size,
    isAlive: () => ended === null,
    close: async () => {
      if (ended === null) {
        ended = new DependencyError('journal', 'The database is closed: the service is stopping');
        if (options.role === 'reader') rejectQueue(ended);
        sendClose();
      }
      await exited;
    },
  };
}
