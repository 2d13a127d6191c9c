/**
 * Finds pending events that the graph needs before a group is answered: events of subjects that were ahead of the
 * version that a command expected (otherwise its five attempts would all load the same state), and the events of
 * repeated requests.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import type { Queryable } from '../connection/postgres.js';
import type { PositionRange, Verdict } from './check-group.js';
import { eventsOfRanges, type PendingEvent, pendingOfSubjects } from './pending-rows.js';
import { isUnfinished } from './unfinished-error.js';

export type Unapplied = {
  readonly pending: readonly RecordedEvent[];
  /**
   * Events that the graph failed to apply before. The group does not try them again, because they would delay all of
   * its commands.
   */
  readonly unfinished: readonly PendingEvent[];
  /** The events of a repeated request with their current data. */
  readonly eventsOf: (range: PositionRange) => readonly RecordedEvent[];
};

export async function findUnapplied(postgres: Queryable, verdicts: readonly Verdict[]): Promise<Unapplied> {
  const subjects = new Set(verdicts.flatMap(subjectAhead));
  const ranges = new Map(
    verdicts.flatMap((verdict) => (verdict.kind === 'repeated' ? [[verdict.range.first, verdict.range] as const] : [])),
  );
  const { events, pending: repeated } = await eventsOfRanges(postgres, [...ranges.values()]);
  const found = [...(await pendingOfSubjects(postgres, [...subjects])), ...repeated];
  const unfinished = found.filter(isUnfinished);
  const blocked = new Set(unfinished.map(({ event }) => event.subject));
  return {
    pending: found.map(({ event }) => event).filter(({ subject }) => !blocked.has(subject)),
    unfinished,
    eventsOf: ({ first, last }) => events.filter(({ position }) => position >= first && position <= last),
  };
}

function subjectAhead(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case 'conflict':
      return [verdict.subject];
    case 'absent':
      return [verdict.memoryId];
    default:
      return [];
  }
}
