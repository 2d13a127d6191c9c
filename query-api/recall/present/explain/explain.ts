/**
 * Explains each result, and why one named memory is missing. Runs only when the caller asks, and
 * changes no result.
 */
import type { MemoryId } from '../../../../shared/contract/memory.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import type { Scoring } from '../../../config.js';
import { createTermText } from '../../score/term-text.js';
import { type ExplainedMemory, explainMemory, type Trace } from './explain-memory.js';
import { type ExplainContext, type ExplainedResult, explainResult } from './explain-result.js';

export type Explanation = {
  readonly results: ReadonlyMap<MemoryId, ExplainedResult>;
  /** Of the one memory that the caller named; null when there is none. */
  readonly memory: ExplainedMemory | null;
};

type Dependencies = { readonly graph: GraphReader; readonly config: { readonly scoring: Scoring } };

/**
 * Resolves to null when the caller asked for no explanation. At most two reads, side by side, for any number of
 * results.
 */
export function createExplain({ graph, config }: Dependencies) {
  return async (trace: Trace): Promise<Explanation | null> => {
    const { explain } = trace.plan;
    if (explain === null) return null;
    const context: ExplainContext = { query: trace.plan, scoring: config.scoring, termText: createTermText() };
    return {
      results: new Map(trace.selected.results.map((result) => [result.memory.id, explainResult(result, context)])),
      memory: explain.memoryId === null ? null : await explainMemory(explain.memoryId, { graph, trace, context }),
    };
  };
}
