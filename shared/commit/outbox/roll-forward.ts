/** Steps 4 and 5 for events that somebody committed and nobody has shown yet; harmless when two do it at once. */
import type { RecordedEvent } from '../../contract/events.js';
import type { Queryable } from '../../postgres/postgres.js';
import type { GraphGuard } from './create-graph-guard.js';
import { finishPending } from './pending-rows.js';

export type RollForwardDeps = { readonly postgres: Queryable; readonly guard: GraphGuard };

export async function rollForward(
  { postgres, guard }: RollForwardDeps,
  events: readonly RecordedEvent[],
): Promise<void> {
  const refused = await guard.show(events);
  await finishPending(
    postgres,
    events.map(({ position }) => position).filter((position) => !refused.has(position)),
  );
}
