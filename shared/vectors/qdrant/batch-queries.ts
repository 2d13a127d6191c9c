/** Sends all queries of the same turn of the event loop in one request, so that the searches of a recall are one request to Qdrant. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { rethrowReadError } from './qdrant-errors.js';

type Request = Schemas['QueryRequest'];
type Points = readonly Schemas['ScoredPoint'][];
type Waiting = {
  readonly request: Request;
  readonly resolve: (points: Points) => void;
  readonly reject: (error: unknown) => void;
};

/** Queries in one request, more than one recall needs. Further queries go in the next request. */
const REQUESTS_LIMIT = 32;

export type Query = (request: Request) => Promise<Points>;

export function batchQueries({
  client,
  collection,
  timeoutMs,
}: {
  readonly client: QdrantClient;
  readonly collection: string;
  /** The client ends a request after this time, and the server stops its search. */
  readonly timeoutMs: number;
}): Query {
  const timeout = Math.ceil(timeoutMs / 1_000); // Qdrant takes whole seconds
  let waiting: Waiting[] = [];

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += REQUESTS_LIMIT)
      void send(all.slice(start, start + REQUESTS_LIMIT));
  }

  async function send(some: readonly Waiting[]): Promise<void> {
    try {
      const answers = await ask(some.map(({ request }) => request)).catch(rethrowReadError);
      some.forEach(({ resolve }, index) => resolve(answers[index]?.points ?? []));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  async function ask(requests: readonly Request[]): Promise<readonly Schemas['QueryResponse'][]> {
    const [only, ...others] = requests;
    return only && others.length === 0
      ? [await client.query(collection, { ...only, timeout })]
      : client.queryBatch(collection, { searches: [...requests], timeout });
  }

  return (request) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(sendAll);
      waiting.push({ request, resolve, reject });
    });
}
