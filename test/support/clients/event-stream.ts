/** A client of the live stream that collects frames and comments until either side closes the connection. */
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export type Frame = {
  readonly id: number | null;
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

/** Opens the stream on its own connection without reading it. `fetch` would open another connection after this one is closed. */
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
  const { take, ...read } = createReader();
  answer.setEncoding('utf8').on('data', take);
  return read;
}

function createReader() {
  const frames: Frame[] = [];
  const comments: string[] = [];
  let rest = '';
  return {
    frames,
    comments,
    take: (text: string): void => {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) comments.push(block.slice(1).trim());
        else frames.push(frameIn(block));
      }
    },
  };
}

function frameIn(block: string): Frame {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const id = fields.get('id');
  return {
    id: id === undefined ? null : Number(id),
    ...(JSON.parse(fields.get('data') ?? '') as Omit<Frame, 'id' | 'receivedAt'>),
    receivedAt: performance.now(),
  };
}
