/** The parameter `consistent_with`: the read starts when its sources show the position; its reply reports whether they do. */
import type { Reply, RequestContext } from '../../shared/http/handler.js';
import type { AwaitPosition, PositionWait } from './await-position.js';

type Read = { readonly query: { readonly consistent_with?: number }; readonly context: RequestContext };

/** Wraps a handler that reads the named parts. A request without the parameter goes directly to the handler. */
export type ConsistentRead = <R extends Read>(
  reads: PositionWait['reads'],
  handle: (request: R) => Promise<Reply>,
) => (request: R) => Promise<Reply>;

export function createConsistentRead(awaitPosition: AwaitPosition): ConsistentRead {
  return (reads, handle) => async (request) => {
    const {
      query: { consistent_with: position },
      context: { signal },
    } = request;
    if (position === undefined) return handle(request);
    const { index, graph, waitedMs } = await awaitPosition({ position, reads, signal });
    const reply = await handle(request);
    const consistency = { position, index, graph, waited_ms: Math.round(waitedMs * 100) / 100 };
    // Every body of the contract is an object.
    return { ...reply, body: { ...(reply.body as object), consistency } };
  };
}
