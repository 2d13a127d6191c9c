/**
 * A circuit breaker around the graph. While the graph is known to be down, nothing is committed that could not be applied soon. An event
 * that the graph rejects permanently does not block other events. Two states: `up`, and `down` from a failed call until a successful probe.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { GraphReader, GraphWriter } from '../../graph/graph.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';

export type CommitGraph = Pick<GraphWriter, 'apply'> & Pick<GraphReader, 'ping'>;

/** The text of the HTTP contract. */
const UNAVAILABLE = 'Graph database unavailable';

export interface GraphGuard {
  /** Throws DependencyError, without a call to the graph, while the graph is known to be down. */
  requireUp(): void;
  /** Applies events to the graph in order. Returns the positions of rejected events. DependencyError when the graph fails. */
  apply(events: readonly RecordedEvent[]): Promise<ReadonlySet<number>>;
  /** Pings a graph that is down; DependencyError when it is still down. */
  probe(): Promise<void>;
}

export function createGraphGuard({
  graph,
  retryAfterSeconds,
  logger,
}: {
  readonly graph: CommitGraph;
  readonly retryAfterSeconds: number;
  readonly logger: Logger;
}): GraphGuard {
  let failure: unknown = null;

  async function trackFailure<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      failure = null;
      return answer;
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      failure = error;
      throw unavailable(error);
    }
  }

  function unavailable(cause: unknown): DependencyError {
    return new DependencyError('graph', UNAVAILABLE, { cause, retryAfterSeconds });
  }

  async function applyOneByOne(events: readonly RecordedEvent[]): Promise<ReadonlySet<number>> {
    const rejected = new Set<number>();
    for (const event of events) {
      try {
        await trackFailure(graph.apply([event]));
      } catch (error) {
        if (error instanceof DependencyError) throw error;
        rejected.add(event.position);
        logger.error(
          { err: error, eventId: event.id, position: event.position, subject: event.subject },
          'graph rejected an event; it stays pending',
        );
      }
    }
    return rejected;
  }

  return {
    requireUp: () => {
      if (failure !== null) throw unavailable(failure);
    },
    apply: async (events) => {
      if (events.length === 0) return new Set();
      try {
        await trackFailure(graph.apply(events));
        return new Set();
      } catch (error) {
        if (error instanceof DependencyError) throw error;
        return applyOneByOne(events);
      }
    },
    probe: async () => {
      if (failure !== null) await trackFailure(graph.ping());
    },
  };
}
