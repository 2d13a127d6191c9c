/**
 * The graph as the committer meets it: while it is known to be down nothing is committed that it could not show, and an event that it
 * refuses for good holds up no other. Two states: `up`; `down` from a call that failed until a probe that succeeds.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { GraphReader, GraphWriter } from '../../graph/graph.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';

export type CommitGraph = Pick<GraphWriter, 'apply'> & Pick<GraphReader, 'ping'>;

/** The words of the HTTP contract. */
const UNAVAILABLE = 'Graph database unavailable';

export interface GraphGuard {
  /** Throws DependencyError at once when the graph is known to be down. */
  admit(): void;
  /** Makes the graph show these events, in order; answers the positions of those that it refused. DependencyError when it fails. */
  show(events: readonly RecordedEvent[]): Promise<ReadonlySet<number>>;
  /** Asks a graph that is down whether it is up again; DependencyError when it is not. */
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

  async function noticing<T>(call: Promise<T>): Promise<T> {
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

  async function showEach(events: readonly RecordedEvent[]): Promise<ReadonlySet<number>> {
    const refused = new Set<number>();
    for (const event of events) {
      try {
        await noticing(graph.apply([event]));
      } catch (error) {
        if (error instanceof DependencyError) throw error;
        refused.add(event.position);
        logger.error(
          { error, eventId: event.id, position: event.position, subject: event.subject },
          'the graph refuses an event; it stays pending',
        );
      }
    }
    return refused;
  }

  return {
    admit: () => {
      if (failure !== null) throw unavailable(failure);
    },
    show: async (events) => {
      if (events.length === 0) return new Set();
      try {
        await noticing(graph.apply(events));
        return new Set();
      } catch (error) {
        if (error instanceof DependencyError) throw error;
        return showEach(events);
      }
    },
    probe: async () => {
      if (failure !== null) await noticing(graph.ping());
    },
  };
}
