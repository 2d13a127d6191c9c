/** What every task of consolidation works with. */
import type { ConsolidationConfig } from '../../../shared/consolidation/consolidation-config.js';
import type {
  ConsolidationCommand,
  ConsolidationOutcome,
  RecordConsolidation,
} from '../../../shared/contract/consolidation/commands.js';
import { CONSOLIDATION_COMMANDS_LIMIT } from '../../../shared/contract/consolidation/commands.js';
import type { Timestamp } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { GraphScan } from '../../../shared/ports/graph-scan.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import type { VectorIndexReader } from '../../../shared/ports/vectors.js';

export type TaskPorts = {
  readonly graph: Pick<GraphReader, 'memories' | 'relations' | 'entities'>;
  readonly graphScan: Pick<GraphScan, 'memories' | 'degrees'>;
  readonly vectors: Pick<VectorIndexReader, 'search' | 'vectors'>;
  readonly recordConsolidation: RecordConsolidation;
  readonly config: ConsolidationConfig;
};

export type TaskRun = {
  /** The time of the run, for all memories. */
  readonly now: Timestamp;
  /** True: nothing is written. */
  readonly isDry: boolean;
  /** True for a run of the schedule, false for a request. */
  readonly isScheduled: boolean;
  readonly signal: AbortSignal;
  /** What the task saved last, before a crash; null at its start. */
  readonly resumed: JsonRecord | null;
  /** Saves where the task continues after a crash. `examined`: memories so far, for the progress of the job. */
  readonly save: (state: JsonRecord, examined: number) => Promise<void>;
};

/** Resolves with the result as the answer of POST /consolidate shows it. */
export type RunTask = (run: TaskRun) => Promise<JsonRecord>;

/** Sends the commands in as many calls as needed. A dry run sends none, and every command counts as done. */
export async function send(
  commands: readonly ConsolidationCommand[],
  { recordConsolidation, isDry }: { readonly recordConsolidation: RecordConsolidation; readonly isDry: boolean },
): Promise<readonly ConsolidationOutcome[]> {
  if (isDry) return commands.map(() => 'done');
  const outcomes: ConsolidationOutcome[] = [];
  for (let from = 0; from < commands.length; from += CONSOLIDATION_COMMANDS_LIMIT)
    outcomes.push(...(await recordConsolidation(commands.slice(from, from + CONSOLIDATION_COMMANDS_LIMIT))));
  return outcomes;
}
