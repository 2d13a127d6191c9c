/** `consistent_with` of a read: the read begins once what it reads shows the position, or it says that it did not. */
import type { Reply, RequestContext } from '../../shared/http/handler.js';
import type { AwaitPosition, Awaited } from './create-await-position.js';

type Read = { readonly query: { readonly consistent_with?: number }; readonly context: RequestContext };

/** A handler like the one that is given, for reads of the parts that are named; without the parameter it is that handler. */
export type Consistently = <R extends Read>(
  reads: Awaited['reads'],
  handle: (request: R) => Promise<Reply>,
) => (request: R) => Promise<Reply>;

export function createConsistently(awaitPosition: AwaitPosition): Consistently {
  return (reads, handle) => async (request) => {
    const {
      query: { consistent_with: position },
      context: { signal },
    } = request;
    if (position === undefined) return handle(request);
    const { index, graph, waitedMs } = await awaitPosition({ position, reads, signal });
    const reply = await handle(request);
    const consistency = { position, index, graph, waited_ms: Math.round(waitedMs * 100) / 100 };
    // Every body of ours is an object.
    return { ...reply, body: { ...(reply.body as object), consistency } };
  };
}
