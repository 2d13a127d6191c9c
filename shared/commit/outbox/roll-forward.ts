/** Rolls pending events forward: steps 4 and 5 of the commit protocol. Idempotent, so two processes may do it at the same time. */
import type { RecordedEvent } from '../../contract/events.js';
import type { Queryable } from '../../postgres/postgres.js';
import type { GraphGuard } from './graph-guard.js';
import { finishPending } from './pending-rows.js';

export type RollForwardDeps = { readonly postgres: Queryable; readonly guard: GraphGuard };

export async function rollForward(
  { postgres, guard }: RollForwardDeps,
  events: readonly RecordedEvent[],
): Promise<void> {
  const rejected = await guard.apply(events);
  await finishPending(
    postgres,
    events.map(({ position }) => position).filter((position) => !rejected.has(position)),
  );
}
