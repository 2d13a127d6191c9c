/**
 * GET /stream and GET /stream/status: the limit on clients, the position where a stream begins, and the number of
 * clients.
 */
import type { Handlers } from '../../shared/http/handler.js';
import { beyondHeadError } from '../../shared/journal/beyond-head-error.js';
import { DeadlineError } from '../../shared/kernel/errors.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { QueryConfig } from '../config.js';
import { createEventPages } from './event-pages.js';
import { serveWatcher, type WatcherDependencies } from './serve-watcher.js';

const RETRY_AFTER_SECONDS = 10;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const;

type Dependencies = Omit<WatcherDependencies, 'pages' | 'config' | 'endWork'> & {
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly config: QueryConfig['stream'];
  /** The name of this process. */
  readonly instance: string;
};

/**
 * The status counts the clients of this process only: a total would need a shared store for the counts, for a number
 * without a use.
 */
export function createStream({
  journal,
  instance,
  ...dependencies
}: Dependencies): Handlers<'stream' | 'streamStatus'> {
  const { config, clock } = dependencies;
  const pages = createEventPages({ journal, clock });
  let subscribers = 0;

  /** Counts the client until its connection ends, whatever the outcome of the response. */
  function countClient(signal: AbortSignal): void {
    if (subscribers >= config.clients)
      throw new DeadlineError(
        `${config.clients} clients already watch at this process: connect again later`,
        RETRY_AFTER_SECONDS,
      );
    if (signal.aborted) return;
    subscribers += 1;
    signal.addEventListener(
      'abort',
      () => {
        subscribers -= 1;
      },
      { once: true },
    );
  }

  return {
    stream: async ({ query, context: { lastEventId, cursorOf, signal, endWork } }) => {
      const head = await journal.head();
      const after = lastEventId ?? query.after ?? head;
      if (after > head)
        throw beyondHeadError(lastEventId === null ? 'after' : 'Last-Event-ID', { position: after, head });
      countClient(signal);
      const watcher = { after, liveAfter: head, cursorOf, ...(query.only !== undefined && { only: query.only }) };
      return {
        status: 200,
        headers: HEADERS,
        stream: (sink) => serveWatcher(sink, watcher, { ...dependencies, pages, endWork }),
      };
    },
    streamStatus: async () => ({ status: 200, body: { subscribers, instance } }),
  };
}
