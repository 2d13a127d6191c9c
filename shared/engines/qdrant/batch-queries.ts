/**
 * Sends all queries of the same turn of the event loop in one request, so that the searches of a recall are one request
 * to Qdrant.
 */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { batchTurn } from '../../kernel/concurrency/batch-turn.js';
import { rethrowReadError } from './qdrant-errors.js';

type Request = Schemas['QueryRequest'];
type Points = readonly Schemas['ScoredPoint'][];
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

  async function ask(requests: readonly Request[]): Promise<readonly Schemas['QueryResponse'][]> {
    const [only, ...others] = requests;
    return only && others.length === 0
      ? [await client.query(collection, { ...only, timeout })]
      : client.queryBatch(collection, { searches: [...requests], timeout });
  }

  return batchTurn<Request, Points>({
    limit: REQUESTS_LIMIT,
    run: async (requests) => {
      const answers = await ask(requests).catch(rethrowReadError);
      return requests.map((_, index) => answers[index]?.points ?? []);
    },
  });
}
