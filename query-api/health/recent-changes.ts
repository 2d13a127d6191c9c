/**
 * The events of the journal in the last hour, by kind and step. Keeps its counts, so that each read counts only the
 * events since the read before.
 */
import { ACTIVITY } from '../../shared/contract/admin.js';
import type { EventType } from '../../shared/contract/events.js';
import { shareRuns } from '../../shared/kernel/concurrency/share-runs.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { STEP_MS } from './recent-recalls.js';

const { steps: STEPS } = ACTIVITY;
/** Events that one read counts: an hour of 5 a second. Each engine takes 120 ms for them on a busy machine. */
const COUNTED_EVENTS = 20_000;

type Kind = 'stores' | 'changes' | 'background';
const KIND_OF: Readonly<Record<EventType, Kind>> = {
  'memory.stored': 'stores',
  'memory.updated': 'changes',
  'memory.deleted': 'changes',
  'memory.restored': 'changes',
  'association.created': 'changes',
  'association.updated': 'changes',
  'entity.merged': 'changes',
  'key.created': 'changes',
  'key.rotated': 'changes',
  'key.revoked': 'changes',
  'memory.enriched': 'background',
  'memory.enrichment.requested': 'background',
  'memory.enrichment.failed': 'background',
  'memory.relevance.changed': 'background',
  'memory.archived': 'background',
  'memory.cluster.changed': 'background',
  'entity.updated': 'background',
};

export interface RecentChanges {
  /**
   * The events of each step, the oldest first; null for a step whose events were not all counted. Throws
   * DependencyError when the journal does not answer.
   */
  read(): Promise<{
    readonly steps: Readonly<Record<Kind, readonly (number | null)[]>>;
    readonly total: Readonly<Record<Kind, number>>;
  }>;
}

export function createRecentChanges({
  journal,
  limit = COUNTED_EVENTS,
}: {
  readonly journal: Pick<JournalReader, 'countSteps'>;
  readonly limit?: number;
}): RecentChanges {
  /** Everything up to this position is counted, from the step `knownFrom` on. `counted` has steps of the last hour. */
  let position = 0;
  let now = 0;
  let knownFrom = -Infinity;
  const counted = new Map<number, Record<Kind, number>>();

  async function countOn(): Promise<void> {
    const found = await journal.countSteps({ after: position, stepMs: STEP_MS, limit });
    // The journal went back to an earlier state, or its clock did: steps that were forgotten may be wanted again.
    if (found.head < position || found.now < now) {
      [position, now, knownFrom] = [0, 0, -Infinity];
      counted.clear();
      return countOn();
    }
    if (found.counts.reduce((sum, { events }) => sum + events, 0) >= limit) {
      counted.clear();
      knownFrom = 1 + found.counts.reduce((oldest, { step }) => Math.min(oldest, step), Infinity);
    }
    for (const { step, type, events } of found.counts) {
      const counts = counted.get(step) ?? { stores: 0, changes: 0, background: 0 };
      counts[KIND_OF[type]] += events;
      counted.set(step, counts);
    }
    [position, now] = [found.head, found.now];
    for (const step of counted.keys()) if (step <= now - STEPS) counted.delete(step);
  }

  const read = shareRuns(async () => {
    await countOn();
    const first = now - STEPS + 1;
    const stepsOf = (kind: Kind): readonly (number | null)[] => {
      const steps = Array.from({ length: STEPS }, (_, index): number | null => (first + index < knownFrom ? null : 0));
      for (const [step, counts] of counted) {
        const index = Math.min(step, now) - first; // an event of the future is one of now
        if (step >= knownFrom) steps[index] = (steps[index] ?? 0) + counts[kind];
      }
      return steps;
    };
    const steps = { stores: stepsOf('stores'), changes: stepsOf('changes'), background: stepsOf('background') };
    const total = (kind: Kind): number => steps[kind].reduce<number>((sum, each) => sum + (each ?? 0), 0);
    return {
      steps,
      total: { stores: total('stores'), changes: total('changes'), background: total('background') },
    };
  });
  return { read };
}
