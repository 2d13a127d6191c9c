/** The stage that answers "why this, and why not that", for those who ask: it changes nothing, and does nothing for everyone else. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/graph/graph.js';
import type { Scoring } from '../../config.js';
import { createTermText } from '../term-text.js';
import { explainMemory, type ExplainedMemory, type Trace } from './explain-memory.js';
import { explainResult, type ExplainContext, type ExplainedResult } from './explain-result.js';

export type Explanation = {
  readonly results: ReadonlyMap<MemoryId, ExplainedResult>;
  /** Of the memory that was asked about. */
  readonly memory: ExplainedMemory | null;
};

/** Null when nothing is to be explained. At most two reads side by side, whatever the number of results. */
export function createExplain({ graph, scoring }: { readonly graph: GraphReader; readonly scoring: Scoring }) {
  return async (trace: Trace): Promise<Explanation | null> => {
    const { explain } = trace.plan;
    if (explain === null) return null;
    const context: ExplainContext = { asked: trace.plan, scoring, termText: createTermText() };
    return {
      results: new Map(trace.results.map((result) => [result.memory.id, explainResult(result, context)])),
      memory: explain.memoryId === null ? null : await explainMemory(explain.memoryId, { graph, trace, context }),
    };
  };
}
