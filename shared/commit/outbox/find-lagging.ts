/**
 * What else the graph has to show before a group is answered: earlier events of subjects that a command found ahead of what it expected
 * (or it would load the same again, five times), and those that a repeated request committed the first time.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { Queryable } from '../../postgres/postgres.js';
import type { PositionRange, Verdict } from './judge-group.js';
import { eventsOfRanges, pendingOfSubjects } from './pending-rows.js';

export type Lagging = {
  readonly pending: readonly RecordedEvent[];
  /** The events of a repeated request, as they are now. */
  readonly eventsOf: (range: PositionRange) => readonly RecordedEvent[];
};

export async function findLagging(postgres: Queryable, verdicts: readonly Verdict[]): Promise<Lagging> {
  const subjects = new Set(verdicts.flatMap(subjectAhead));
  const ranges = new Map(
    verdicts.flatMap((verdict) => (verdict.kind === 'repeated' ? [[verdict.range.first, verdict.range] as const] : [])),
  );
  const { events, pending } = await eventsOfRanges(postgres, [...ranges.values()]);
  return {
    pending: [...(await pendingOfSubjects(postgres, [...subjects])), ...pending],
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
