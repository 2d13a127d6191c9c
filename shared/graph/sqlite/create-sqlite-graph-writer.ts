/** Writes to the graph outside a commit: rebuilds from the journal, and the telemetry of reads. */
import type { SqliteHost } from '../../sqlite/host.js';
import type { GraphWriter } from '../graph.js';
import { applyEvents } from './apply.js';
import { asGraph } from './graph-errors.js';
import { touchMemories } from './touch.js';

export function createSqliteGraphWriter({ host }: { readonly host: Pick<SqliteHost, 'write'> }): GraphWriter {
  return {
    apply: (events) => asGraph(host.write(applyEvents, events)),
    touch: (ids, at) => asGraph(host.write(touchMemories, { ids, at })),
  };
}
