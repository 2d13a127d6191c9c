/**
 * The pattern memories that a batch may exemplify, one for each type. A pattern is made once enough memories of its type are sure of it, and
 * its words are made anew only when twice as many were seen: all memories of a type stand by it, so it must not be written with each.
 */
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { MemoryFilter } from '../../shared/contract/filter.js';
import { MEMORY_TYPES, type Timestamp } from '../../shared/contract/memory.js';
import type { GraphReader, LoadedMemory } from '../../shared/graph/graph.js';
import type { Job } from './create-take-ready.js';
import { draftPattern, patternOf, type Pattern } from './draft-pattern.js';
import { patternId } from './pattern-id.js';

/** A memory shows its type only when it is more sure of it than this: what nobody classified is no pattern. */
export const PATTERN_CONFIDENCE = 0.5;
/** Others of the type that a first pattern needs. */
const OTHERS_NEEDED = 3;
const CONTENTS_LIMIT = 10;
/** The newest of the type that are looked through for those. */
const LOOKED_AT = 50;

export type Observed = {
  /** To be written before anything exemplifies it. */
  readonly commands: readonly ObservedPattern[];
  /** Those that stand, by type. */
  readonly patterns: ReadonlyMap<string, Pattern>;
};

export function createObservePatterns({
  graph,
}: {
  readonly graph: Pick<GraphReader, 'memories' | 'counts' | 'trending'>;
}) {
  return async (jobs: readonly Job[], now: Timestamp): Promise<Observed> => {
    const showing = new Map(jobs.filter(exemplifies).map((job) => [job.loaded.memory.type as string, job]));
    const standing = new Map(
      (await graph.memories([...showing.keys()].map(patternId))).map((loaded) => [loaded.memory.id, loaded]),
    );
    const commands: ObservedPattern[] = [];
    const patterns = new Map<string, Pattern>();
    for (const [type, job] of showing) {
      const loaded = standing.get(patternId(type));
      const known = loaded && patternOf(loaded.memory.metadata);
      if (known) patterns.set(type, known);
      const command = await rewrite({ type, job, loaded, seen: known?.observations ?? 0, now });
      if (command) commands.push(command);
    }
    return { commands, patterns };
  };

  async function rewrite({
    type,
    job,
    loaded,
    seen,
    now,
  }: {
    readonly type: string;
    readonly job: Job;
    readonly loaded: LoadedMemory | undefined;
    readonly seen: number;
    readonly now: Timestamp;
  }): Promise<ObservedPattern | null> {
    const { memories: observations } = await graph.counts({ excludedTypes: allBut(type) });
    if (observations <= OTHERS_NEEDED || observations < 2 * seen) return null;
    const ids = await graph.trending({ filter: ofType(type, now), order: 'time_desc', limit: LOOKED_AT });
    const others = (await graph.memories(ids)).filter(
      ({ memory }) => memory.id !== job.loaded.memory.id && memory.confidence > PATTERN_CONFIDENCE,
    );
    if (others.length < OTHERS_NEEDED) return null;
    const contents = others.slice(0, CONTENTS_LIMIT).map(({ memory }) => memory.content);
    return draftPattern({
      type,
      observations,
      contents,
      version: loaded?.version ?? 0,
      causationId: job.wanted.eventId,
    });
  }
}

export function exemplifies({ loaded: { memory } }: Job): boolean {
  return memory.confidence > PATTERN_CONFIDENCE;
}

function ofType(type: string, now: Timestamp): MemoryFilter {
  return { tags: null, excludeTags: [], start: null, end: null, excludedTypes: allBut(type), state: 'unarchived', now };
}

function allBut(type: string): readonly string[] {
  return [...MEMORY_TYPES, 'MetaPattern'].filter((other) => other !== type);
}
