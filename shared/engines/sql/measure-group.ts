/** The metrics and the span of one group of commands at its commit point. */
import type { Metrics } from '../../kernel/metrics/metrics.js';
import { type TracedEvent, withBatchSpan } from '../../kernel/tracing/tracing.js';

type MeasuredCommand = { readonly events: readonly TracedEvent[] };

/**
 * Measures a successful commit. A failed one is not observed, because its time says only how long the database took to
 * fail.
 */
export async function measureGroup<T>(
  metrics: Pick<Metrics, 'observe'>,
  commands: readonly MeasuredCommand[],
  commit: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const committed = await withBatchSpan(
    'commit group',
    {
      attributes: { 'palimpsest.commands': commands.length },
      events: commands.flatMap(({ events }) => events),
    },
    commit,
  );
  metrics.observe('palimpsest_commit_duration_seconds', {}, (performance.now() - startedAt) / 1_000);
  metrics.observe('palimpsest_commit_group_commands', {}, commands.length);
  return committed;
}
