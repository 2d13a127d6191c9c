/** GET /stream and GET /stream/status: who may watch, from where on, and how many do. */
import type { Handlers } from '../../shared/http/handler.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { DeadlineError } from '../../shared/kernel/errors.js';
import type { QueryConfig } from '../config.js';
import { beyondHead } from '../feed/beyond-head.js';
import { createEventPages } from './create-event-pages.js';
import { serveWatcher, type WatcherDependencies } from './serve-watcher.js';

const RETRY_AFTER_SECONDS = 10;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const;

type Dependencies = Omit<WatcherDependencies, 'pages' | 'config'> & {
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly config: QueryConfig['stream'];
  /** What this process is called. */
  readonly instance: string;
};

/** The count is of this process alone: to add up those of all would take a place where each keeps its own, for a figure that nobody steers by. */
export function createStream({
  journal,
  instance,
  ...dependencies
}: Dependencies): Handlers<'stream' | 'streamStatus'> {
  const { config, clock } = dependencies;
  const pages = createEventPages({ journal, clock });
  let subscribers = 0;

  /** Until its connection is done with, whatever became of the answer. */
  function takePlace(signal: AbortSignal): void {
    if (subscribers >= config.clients)
      throw new DeadlineError(`${config.clients} clients watch here already: connect again later`, RETRY_AFTER_SECONDS);
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
    stream: async ({ query, context: { lastEventId, signal } }) => {
      const head = await journal.head();
      const after = lastEventId ?? query.after ?? head;
      if (after > head) throw beyondHead(lastEventId === null ? 'after' : 'Last-Event-ID', { position: after, head });
      takePlace(signal);
      const watcher = { after, liveAfter: head, ...(query.only !== undefined && { only: query.only }) };
      return {
        status: 200,
        headers: HEADERS,
        body: null,
        stream: (sink) => serveWatcher(sink, watcher, { ...dependencies, pages }),
      };
    },
    streamStatus: async () => ({ status: 200, body: { subscribers, instance } }),
  };
}
