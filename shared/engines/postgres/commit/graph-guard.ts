/**
 * A circuit breaker around the graph. While the graph is known to be down, nothing is committed that could not be
 * applied soon. An event that a working graph cannot apply does not block other events. Three states: `up`; `down` from
 * a call without connection until a successful probe; and `refusing` from the failure of several subjects, each alone,
 * until the graph applies an event. A graph that refuses answers pings, so only events can find its end.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { withBatchSpan } from '../../../kernel/tracing/tracing.js';
import type { GraphReader, GraphWriter } from '../../../ports/graph.js';
import {
  type AppliedPart,
  isDown,
  NONE_REJECTED,
  PARTS_CONCURRENCY,
  type Rejected,
  startParts,
} from './apply-parts.js';
import { RETRY_AFTER_SECONDS } from './unfinished-error.js';

export type CommitGraph = Pick<GraphWriter, 'apply'> & Pick<GraphReader, 'ping'>;

/** The text of the HTTP contract. */
const UNAVAILABLE = 'Graph database unavailable';
/**
 * The graph counts as refusing when this many subjects failed alone and it applied nothing in between. Two rounds of
 * the subjects that are tried at the same time: in the first round all of them may be poison events of one request. A
 * working graph that is taken for a refusing one applies the trial of the next command.
 */
export const REFUSED_SUBJECTS = 2 * PARTS_CONCURRENCY;
/** How often a graph that refuses gets the commands of one group on trial. */
const TRIAL_MS = RETRY_AFTER_SECONDS * 1_000;
/**
 * Time of a transaction with the events of several subjects, so that an event that a working graph cannot finish delays
 * the others by such times and not by the whole timeout of a transaction. Such a transaction usually takes 5 to 50 ms.
 */
const GROUP_TIMEOUT_MS = 1_000;
/** More time for each event: a batch of 500 takes a second on a busy machine. */
const GROUP_EVENT_MS = 10;

export interface GraphGuard {
  /**
   * Throws DependencyError, without a call to the graph, while the graph is known to be down. While it refuses, one
   * call in TRIAL_MS returns: its commands are the trial.
   */
  requireUp(): void;
  /** True while failures are the graph's and not of the events. */
  isRefusing(): boolean;
  /** Returns these events as rejected with the error, after a call that failed for them alone. */
  reject(events: readonly RecordedEvent[], error: unknown): Rejected;
  /**
   * Applies events to the graph in order. If the graph fails for all together, it applies them in parts, and at last
   * the events of one subject alone; the later ones wait behind a rejected one. Returns the rejected events.
   * DependencyError when the graph is down.
   */
  apply(events: readonly RecordedEvent[]): Promise<Rejected>;
  /**
   * As `apply`, but resolves after the attempt with all together, with a part for each result that the graph gives
   * apart from the others.
   */
  applyInParts(events: readonly RecordedEvent[]): Promise<readonly AppliedPart[]>;
  /** Pings a graph that is down; DependencyError when it is still down. */
  probe(): Promise<void>;
}

export function createGraphGuard({
  graph,
  logger,
  now = () => performance.now(),
}: {
  readonly graph: CommitGraph;
  readonly logger: Logger;
  /** In milliseconds. */
  readonly now?: () => number;
}): GraphGuard {
  let failure: unknown = null;
  /** The subjects that failed alone since the graph applied an event. */
  const failedAlone = new Set<string>();
  let nextTrialAt = -Infinity;

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
    return new DependencyError('graph', UNAVAILABLE, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  const isRefusing = (): boolean => failedAlone.size >= REFUSED_SUBJECTS;

  /** The graph failed for the first event, and others of its subject wait behind it. */
  function reject(events: readonly RecordedEvent[], error: unknown): Rejected {
    const [event] = events;
    logger.error(
      { err: error, eventId: event?.id, position: event?.position, subject: event?.subject },
      'graph could not apply an event; it stays pending',
    );
    if (event && events.every(({ subject }) => subject === event.subject)) noteFailedAlone(event, error);
    return new Map(events.map(({ position, id }) => [position, { id, error }]));
  }

  /** The set stays small: while the graph refuses, further subjects add nothing. */
  function noteFailedAlone({ subject }: RecordedEvent, error: unknown): void {
    if (isRefusing()) return;
    failedAlone.add(subject);
    if (!isRefusing()) return;
    nextTrialAt = now() + TRIAL_MS;
    logger.error(
      { err: error, subjects: failedAlone.size },
      'graph answers pings and refuses every event: see its log, its memory (dbms.memory.transaction.total.max) and its disk',
    );
  }

  async function probe(): Promise<void> {
    if (failure !== null) await trackFailure(graph.ping());
  }

  /**
   * A graph that was down is probed first: a caller that can read the events must not be refused because the graph is
   * down.
   */
  async function applyWhenUp(...call: Parameters<CommitGraph['apply']>): Promise<void> {
    await probe();
    await trackFailure(graph.apply(...call));
    if (isRefusing()) logger.info({}, 'graph applies events again');
    failedAlone.clear();
  }

  async function applyOneByOne(ofSubject: readonly RecordedEvent[]): Promise<Rejected> {
    for (const [index, event] of ofSubject.entries()) {
      try {
        await applyWhenUp([event]);
      } catch (error) {
        if (isDown(error)) throw error;
        return reject(ofSubject.slice(index), error);
      }
    }
    return NONE_REJECTED;
  }

  function applyTogether(events: readonly RecordedEvent[]): Promise<void> {
    return applyWhenUp(events, { timeoutMs: GROUP_TIMEOUT_MS + events.length * GROUP_EVENT_MS });
  }

  async function applyInParts(events: readonly RecordedEvent[]): Promise<readonly AppliedPart[]> {
    if (events.length === 0) return [];
    const subjects = bySubject(events);
    try {
      await (subjects.length === 1 ? applyWhenUp(events) : applyTogether(events));
      return [{ events, rejected: Promise.resolve(NONE_REJECTED) }];
    } catch (error) {
      if (isDown(error)) throw error;
      if (events.length === 1) return [{ events, rejected: Promise.resolve(reject(events, error)) }];
      return startParts(subjects, { applyTogether, applyOneByOne });
    }
  }

  return {
    requireUp: () => {
      if (failure !== null) throw unavailable(failure);
      if (!isRefusing()) return;
      if (now() < nextTrialAt) throw unavailable(new Error('The graph refuses every event'));
      nextTrialAt = now() + TRIAL_MS;
    },
    isRefusing,
    reject,
    apply: (events) =>
      withBatchSpan('apply to graph', { events }, async () => {
        const parts = await applyInParts(events);
        return new Map((await Promise.all(parts.map(({ rejected }) => rejected))).flatMap((rejected) => [...rejected]));
      }),
    applyInParts,
    probe,
  };
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
