/** Walks over the memories that consolidation examines, with the present relevance of each. */
import { relevanceOf } from '../../../shared/consolidation/relevance.js';
import { ASSOCIATION_TYPES, type AssociationType } from '../../../shared/contract/association.js';
import type { Memory, MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import { throttled } from '../../../shared/kernel/concurrency/throttled.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';
import type { TaskPorts } from './task.js';

export type Examined = LoadedMemory & { readonly relevance: number };
/** `last`: the last id of the page, also of a memory that is not examined. */
export type ExaminedPage = {
  readonly examined: readonly Examined[];
  /** The memories of the page that are not examined. */
  readonly others: readonly LoadedMemory[];
  readonly last: MemoryId;
};

const PAGE = 200;
/** After each page, so that the engines have time for callers. */
export const PAUSE_PERCENT = 100;

/**
 * The associations that count. Those of consolidation itself do not: it would raise the relevance of what it found, and
 * a second run would find something else.
 */
const COUNTED_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[]).filter(
  (type) => type !== 'DISCOVERED' && type !== 'SUMMARIZES',
);

/** Patterns and meta memories are made by the service itself, so they are not examined. */
function isExamined({ type, archived }: Pick<Memory, 'type' | 'archived'>): boolean {
  return type !== 'MetaPattern' && archived !== true;
}

const RELEVANT_ABOVE = 0.3;

/** Less relevant memories give no findings and are in no cluster. */
export function isRelevant({ relevance }: Pick<Examined, 'relevance'>): boolean {
  return relevance > RELEVANT_ABOVE;
}

/** In the order of ids, after the given one. */
export async function* examineMemories(
  ports: Pick<TaskPorts, 'graphScan' | 'config'>,
  { after, now, signal }: { readonly after: string; readonly now: Timestamp; readonly signal: AbortSignal },
): AsyncGenerator<ExaminedPage> {
  for (let from = after; ;) {
    signal.throwIfAborted();
    const page = await throttled({ pausePercent: PAUSE_PERCENT, signal }, async () => {
      const loaded = await ports.graphScan.memories({ after: from, limit: PAGE });
      const others = loaded.filter(({ memory }) => !isExamined(memory));
      return { last: loaded.at(-1)?.memory.id, others, examined: await withRelevance(loaded, now, ports) };
    });
    if (page.last === undefined) return;
    yield { ...page, last: page.last };
    from = page.last;
  }
}

/** Those of the memories that are examined. */
export async function withRelevance(
  loaded: readonly LoadedMemory[],
  now: Timestamp,
  { graphScan, config }: Pick<TaskPorts, 'graphScan' | 'config'>,
): Promise<readonly Examined[]> {
  const wanted = loaded.filter(({ memory }) => isExamined(memory));
  const ids = wanted.map(({ memory }) => memory.id);
  const degrees = ids.length === 0 ? null : await graphScan.degrees({ ids, types: COUNTED_TYPES });
  return wanted.map((one) => ({
    ...one,
    relevance: relevanceOf({ ...one.memory, edges: degrees?.get(one.memory.id) ?? 0 }, now, config.relevance),
  }));
}
