/**
 * Rolls pending events forward: steps 4 and 5 of the commit protocol. Idempotent, so two processes may do it at the
 * same time.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Queryable } from '../connection/postgres.js';
import type { Rejected } from './apply-parts.js';
import type { CommitConfig } from './commit-variables.js';
import { countFailures } from './failed-rows.js';
import type { GraphGuard } from './graph-guard.js';
import { finishPending } from './pending-rows.js';

export type RollForwardDeps = {
  readonly postgres: Queryable;
  readonly guard: GraphGuard;
  readonly config: CommitConfig;
  readonly logger: Logger;
};

/**
 * Returns the events that the graph could not apply, each with one more failed attempt. DependencyError when the graph
 * is down.
 */
export async function rollForward(deps: RollForwardDeps, events: readonly RecordedEvent[]): Promise<Rejected> {
  const rejected = await deps.guard.apply(events);
  await settle(deps, events, rejected);
  return rejected;
}

/** Removes the pending rows of applied events and counts an attempt for the rejected ones. */
export async function settle(
  deps: RollForwardDeps,
  events: readonly RecordedEvent[],
  rejected: Rejected,
): Promise<void> {
  await finishPending(
    deps.postgres,
    events.filter(({ position }) => !rejected.has(position)),
  );
  await recordFailures(deps, rejected);
}

/** Counts the failed attempts. An event with too many of them becomes a dead letter of the commit. */
export async function recordFailures(
  {
    postgres,
    guard,
    config,
    logger,
  }: Omit<RollForwardDeps, 'guard'> & { readonly guard: Pick<GraphGuard, 'isRefusing'> },
  rejected: Rejected,
): Promise<void> {
  const isRefusing = guard.isRefusing();
  for (const { id, subject, position } of await countFailures(postgres, rejected, { config, isRefusing }))
    logger.error({ letter: id, subject, position }, 'event moved to the dead letters of the commit');
}
