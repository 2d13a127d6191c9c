/** A client of the live stream that collects frames and comments until either side closes the connection. */
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { positionIn } from '../checks/position-in.js';

export type Frame = {
  /** The position in the id. */
  readonly id: number | null;
  /** The id as it was sent. */
  readonly cursor: string | null;
  readonly type: string;
  readonly timestamp: string;
  // Tests read data of any type and assert the parts that they read.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
  /** `performance.now()` */
  readonly receivedAt: number;
};

export type Watcher = {
  readonly headers: IncomingHttpHeaders;
  readonly frames: readonly Frame[];
  /** The frames with an id. */
  readonly events: () => readonly Frame[];
  readonly activity: (type: string) => readonly Frame[];
  readonly comments: readonly string[];
  readonly isClosed: () => boolean;
  /** Closes the connection. */
  readonly close: () => Promise<void>;
};

export type WatchOptions = {
  readonly query?: string;
  readonly lastEventId?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Resolves after the first bytes. Rejects if the answer is not a stream. */
export async function watch(url: string, options: WatchOptions = {}): Promise<Watcher> {
  const answer = await openStream(url, options);
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new Error(`GET /stream answered ${answer.statusCode} instead of 200`);
  }
  const { frames, comments } = readFrames(answer);
  await once(answer, 'data');
  return {
    headers: answer.headers,
    frames,
    comments,
    events: () => frames.filter(({ id }) => id !== null),
    activity: (type) => frames.filter((frame) => frame.id === null && frame.type === type),
    isClosed: () => answer.closed,
    close: async () => {
      if (answer.closed) return;
      answer.destroy();
      await once(answer, 'close');
    },
  };
}

/**
 * Opens the stream on its own connection without reading it. `fetch` would open another connection after this one is
 * closed.
 */
export function openStream(
  url: string,
  { query = '', lastEventId, headers = {} }: WatchOptions = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
    get(`${url}/stream${query}`, { agent: false, headers: { ...headers, ...resumed } }, (answer) => {
      resolve(answer.on('error', () => undefined /* the connection was cut; `close` follows */));
    }).on('error', reject);
  });
}

/** Collects all frames and comments from now on. */
export function readFrames(answer: IncomingMessage): Pick<Watcher, 'frames' | 'comments'> {
  const frames: Frame[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onComment: (comment) => comments.push(comment.trim()),
    onEvent: ({ id, data }) =>
      frames.push({
        id: id === undefined ? null : positionIn(id),
        cursor: id ?? null,
        ...(JSON.parse(data) as Omit<Frame, 'id' | 'cursor' | 'receivedAt'>),
        receivedAt: performance.now(),
      }),
  });
  answer.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
  return { frames, comments };
}
