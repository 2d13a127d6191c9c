/**
 * A circuit breaker around the graph. While the graph is known to be down, nothing is committed that could not be applied soon. An event
 * that a working graph cannot apply does not block other events. Two states: `up`, and `down` from a call without connection until a
 * successful probe.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { GraphReader, GraphWriter } from '../../graph/graph.js';
import { mapConcurrently } from '../../kernel/concurrency/map-concurrently.js';
import { DeadlineError, DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';

export type CommitGraph = Pick<GraphWriter, 'apply'> & Pick<GraphReader, 'ping'>;

/** The text of the HTTP contract. */
const UNAVAILABLE = 'Graph database unavailable';
/** Subjects whose events are applied alone at the same time, so that an event that times out delays few others. */
const ALONE_CONCURRENCY = 8;

/** The events that the graph did not apply, by position, each with the error. */
export type Rejected = ReadonlyMap<number, unknown>;

export interface GraphGuard {
  /** Throws DependencyError, without a call to the graph, while the graph is known to be down. */
  requireUp(): void;
  /**
   * Applies events to the graph in order. If the graph fails for all together, it applies each one alone; the later events of a subject
   * wait behind a rejected one. Returns the rejected events. DependencyError when the graph is down.
   */
  apply(events: readonly RecordedEvent[]): Promise<Rejected>;
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
      if (!isDown(error)) throw error;
      failure = error;
      throw unavailable(error);
    }
  }

  function unavailable(cause: unknown): DependencyError {
    return new DependencyError('graph', UNAVAILABLE, { cause, retryAfterSeconds });
  }

  /** `events`: of one subject; the graph failed for the first one, and the others wait behind it. */
  function reject(events: readonly RecordedEvent[], error: unknown): Rejected {
    const [event] = events;
    logger.error(
      { err: error, eventId: event?.id, position: event?.position, subject: event?.subject },
      'graph could not apply an event; it stays pending',
    );
    return new Map(events.map(({ position }) => [position, error]));
  }

  async function applyOneByOne(events: readonly RecordedEvent[]): Promise<Rejected> {
    const rejected = await mapConcurrently(bySubject(events), ALONE_CONCURRENCY, async (ofSubject) => {
      for (const [index, event] of ofSubject.entries()) {
        try {
          await trackFailure(graph.apply([event]));
        } catch (error) {
          if (isDown(error)) throw error;
          return [...reject(ofSubject.slice(index), error)];
        }
      }
      return [];
    });
    return new Map(rejected.flat());
  }

  return {
    requireUp: () => {
      if (failure !== null) throw unavailable(failure);
    },
    apply: async (events) => {
      if (events.length === 0) return new Map();
      try {
        await trackFailure(graph.apply(events));
        return new Map();
      } catch (error) {
        if (isDown(error)) throw error;
        const [only] = events;
        return only && events.length === 1 ? reject([only], error) : applyOneByOne(events);
      }
    },
    probe: async () => {
      if (failure !== null) await trackFailure(graph.ping());
    },
  };
}

/** The failure concerns every call, not the events of this one: the server is down or cut off, or too many calls wait for it. */
function isDown(error: unknown): boolean {
  return error instanceof DeadlineError || (error instanceof DependencyError && !error.isReachable);
}

function bySubject(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const groups = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.subject);
    if (group) group.push(event);
    else groups.set(event.subject, [event]);
  }
  return [...groups.values()];
}
