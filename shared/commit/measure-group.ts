/** The metrics and the span of one group of commands at its commit point. */
import type { Envelope } from '../contract/envelope.js';
import type { Metrics } from '../kernel/metrics/metrics.js';
import { withBatchSpan } from '../kernel/tracing/tracing.js';

type CausedCommand = { readonly events: readonly Pick<Envelope, 'traceparent'>[] };

/** Measures a successful commit. A failed one is not observed, because its time says only how long the database took to fail. */
export async function measureGroup<T>(
  metrics: Pick<Metrics, 'observe'>,
  commands: readonly CausedCommand[],
  commit: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const committed = await withBatchSpan(
    'commit group',
    {
      attributes: { 'palimpsest.commands': commands.length },
      causes: commands.flatMap(({ events }) => events.map(({ traceparent }) => traceparent)),
    },
    commit,
  );
  metrics.observe('palimpsest_commit_duration_seconds', {}, (performance.now() - startedAt) / 1_000);
  metrics.observe('palimpsest_commit_group_commands', {}, commands.length);
  return committed;
}
