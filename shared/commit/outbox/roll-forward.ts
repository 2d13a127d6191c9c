/** Steps 4 and 5 for events that somebody committed and nobody has shown yet; harmless when two do it at once. */
import type { RecordedEvent } from '../../contract/events.js';
import type { Queryable } from '../../postgres/postgres.js';
import type { GraphGuard } from './create-graph-guard.js';
import { finishPending, releasePending } from './pending-rows.js';

export async function rollForward({ postgres, guard }: { readonly postgres: Queryable; readonly guard: GraphGuard }, events: readonly RecordedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const positions = events.map(({ position }) => position);
  const refused = await guard.show(events).catch(async (error: unknown) => {
    // Not kept for a lease: whoever meets the graph first when it is up again may have them.
    await releasePending(postgres, positions);
    throw error;
  });
  await finishPending(postgres, positions.filter((position) => !refused.has(position)));
}
