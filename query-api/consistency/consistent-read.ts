/**
 * A read starts when its sources show a position: the one in the parameter `consistent_with`, or for a recall the one
 * at its arrival. Its reply reports whether they do.
 */
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { BodyReply, RequestContext } from '../../shared/http/handler.js';
import type { AwaitHead } from './await-head.js';
import type { AwaitPosition, Consistency, PositionWait } from './await-position.js';

type Read = { readonly query: { readonly consistent_with?: number }; readonly context: RequestContext };

type Consistent = BodyReply<{ readonly consistency?: ShownConsistency }>;
type ShownConsistency = NonNullable<ReplyOf<'recall'>['consistency']>;

/** Resolves when the index can be searched. The first call starts the wait. */
export type AwaitIndex = () => Promise<void>;

/**
 * Wraps a handler that reads the named parts. The handler calls `awaitIndex` before it searches the index, and not when
 * it needs no index.
 */
export type ConsistentRead = <R extends Read, A extends Consistent>(
  reads: Exclude<PositionWait['reads'], 'index'>,
  handle: (request: R, awaitIndex: AwaitIndex) => Promise<A>,
) => (request: R) => Promise<A>;

type Dependencies = {
  readonly awaitPosition: AwaitPosition;
  readonly awaitHead: AwaitHead;
  /** How long a read waits for the position in `consistent_with`. */
  readonly waitMs: number;
};

export function createConsistentRead({ awaitPosition, awaitHead, waitMs }: Dependencies): ConsistentRead {
  return (reads, handle) => async (request) => {
    const {
      query: { consistent_with: position },
      context: { signal },
    } = request;
    if (position !== undefined) {
      const shown = await awaitPosition({ position, reads, waitMs, signal });
      return withConsistency(await handle(request, async () => undefined), { ...shown, position });
    }
    let waiting: ReturnType<AwaitHead> | undefined;
    const reply = await handle(request, async () => {
      waiting ??= awaitHead(signal);
      await waiting;
    });
    const shown = await waiting;
    return shown ? withConsistency(reply, shown) : reply;
  };
}

type Shown = Consistency & Pick<PositionWait, 'position'>;

function withConsistency<A extends Consistent>(reply: A, { position, index, graph, waitedMs }: Shown): A {
  const consistency = { position, index, graph, waited_ms: Math.round(waitedMs * 100) / 100 };
  return { ...reply, body: { ...reply.body, consistency } };
}
