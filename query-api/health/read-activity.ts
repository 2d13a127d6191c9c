/** GET /activity: the last hour in steps of ten seconds, and the lag of each projector. */
import { ACTIVITY } from '../../shared/contract/admin.js';
import type { EventType } from '../../shared/contract/events.js';
import type { Handler } from '../../shared/http/handler.js';
import { observeProjectors } from '../../shared/journal/observe-projectors.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import type { EventCount, JournalReader, ProjectorStates } from '../../shared/ports/journal.js';
import { type RecentRecalls, STEP_MS } from './recent-recalls.js';

const { steps: STEPS, stepSeconds } = ACTIVITY;
/** Events of the journal that one answer counts: an hour of 5 a second. Each engine takes 120 ms on a busy machine. */
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
  'memory.enriched': 'background',
  'memory.enrichment.requested': 'background',
  'memory.enrichment.failed': 'background',
  'memory.relevance.changed': 'background',
  'memory.archived': 'background',
  'memory.cluster.changed': 'background',
  'entity.updated': 'background',
};

type Dependencies = {
  readonly recalls: Pick<RecentRecalls, 'read' | 'since'>;
  readonly journal: Pick<JournalReader, 'ageAfter' | 'countByAge' | 'head'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'paused'>;
  /** The name of this process. */
  readonly instance: string;
  readonly clock: Clock;
};

export function createReadActivity({ recalls, instance, clock, ...ports }: Dependencies): Handler<'readActivity'> {
  const { journal, projectorStates } = ports;
  return async () => {
    const now = clock.now();
    const firstMs = now.getTime() % STEP_MS;
    const [counts, { projectors }] = await Promise.all([
      journal.countByAge({ firstMs, stepMs: STEP_MS, steps: STEPS, limit: COUNTED_EVENTS }),
      projectorStates.list().then((states) => observeProjectors(states, ports)),
    ]);
    const recalled = recalls.read(now);
    const changed = changesOf(counts);
    return {
      status: 200,
      body: {
        status: 'success',
        instance,
        since: formatTimestamp(recalls.since),
        from: formatTimestamp(new Date(now.getTime() - firstMs - (STEPS - 1) * STEP_MS)),
        step_seconds: stepSeconds,
        steps: {
          recalls: recalled.steps.map((step) => step?.recalls ?? null),
          found_nothing: recalled.steps.map((step) => step?.foundNothing ?? null),
          p50_ms: recalled.steps.map((step) => step?.p50Ms ?? null),
          p95_ms: recalled.steps.map((step) => step?.p95Ms ?? null),
          ...changed.steps,
        },
        total: {
          recalls: recalled.total.recalls,
          found_nothing: recalled.total.foundNothing,
          p50_ms: recalled.total.p50Ms,
          p95_ms: recalled.total.p95Ms,
          ...changed.total,
        },
        projectors: projectors.map(({ name, status, lag }) => ({
          name,
          status,
          lag_events: lag.events,
          lag_seconds: lag.seconds,
        })),
      },
    };
  };
}

/** The events of each step, the oldest first; null for steps that the limit left out, wholly or in part. */
function changesOf(counts: readonly EventCount[]) {
  const read = counts.reduce((sum, { events }) => sum + events, 0);
  const oldest = counts.reduce((most, { step }) => Math.max(most, step), 0);
  const known = read < COUNTED_EVENTS ? STEPS : oldest;
  const stepsOf = (kind: Kind): readonly (number | null)[] => {
    const steps = Array.from({ length: STEPS }, (_, step) => (step < known ? 0 : null) as number | null);
    for (const { step, type, events } of counts)
      if (KIND_OF[type] === kind && step < known) steps[step] = (steps[step] ?? 0) + events;
    return steps.reverse();
  };
  const steps = { stores: stepsOf('stores'), changes: stepsOf('changes'), background: stepsOf('background') };
  const total = (kind: Kind): number => steps[kind].reduce<number>((sum, each) => sum + (each ?? 0), 0);
  return {
    steps,
    total: { stores: total('stores'), changes: total('changes'), background: total('background') },
  };
}
