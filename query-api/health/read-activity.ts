/** GET /activity: the last hour in steps of ten seconds, and the lag of each projector. */
import { ACTIVITY } from '../../shared/contract/admin.js';
import type { Handler } from '../../shared/http/handler.js';
import { observeProjectors } from '../../shared/journal/observe-projectors.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import type { JournalReader, ProjectorStates } from '../../shared/ports/journal.js';
import { createRecentChanges } from './recent-changes.js';
import { type RecentRecalls, STEP_MS } from './recent-recalls.js';

const { steps: STEPS, stepSeconds } = ACTIVITY;

type Dependencies = {
  readonly recalls: Pick<RecentRecalls, 'read' | 'since'>;
  readonly journal: Pick<JournalReader, 'ageAfter' | 'countSteps' | 'head'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'paused'>;
  /** The name of this process. */
  readonly instance: string;
  readonly clock: Clock;
};

export function createReadActivity({ recalls, instance, clock, ...ports }: Dependencies): Handler<'readActivity'> {
  const { projectorStates } = ports;
  const changes = createRecentChanges(ports);
  return async () => {
    const [changed, { projectors }] = await Promise.all([
      changes.read(),
      projectorStates.list().then((states) => observeProjectors(states, ports)),
    ]);
    const now = clock.now();
    const recalled = recalls.read(now);
    return {
      status: 200,
      body: {
        status: 'success',
        instance,
        since: formatTimestamp(recalls.since),
        from: formatTimestamp(new Date((Math.floor(now.getTime() / STEP_MS) - STEPS + 1) * STEP_MS)),
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
