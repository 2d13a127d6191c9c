/**
 * Reads and drafts the pattern memories that a batch can exemplify, one per memory type. A pattern is written once
 * enough memories of its type have a high confidence, and rewritten only when their number has doubled: all memories of
 * the type share it, so it must not be written with each of them.
 */
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';
import { draftPattern, type Pattern, patternId, patternOf } from './pattern.js';
import { countOfType, type ExamplesGraph, PATTERN_CONFIDENCE, readExamples } from './read-examples.js';
import type { Job } from './select-ready.js';

/** Other memories of the type that a pattern needs. */
export const OTHERS_NEEDED = 3;
export const CONTENTS_LIMIT = 10;

export type Observed = {
  /** To be written before a memory exemplifies them. */
  readonly commands: readonly ObservedPattern[];
  /** The existing patterns, by memory type. */
  readonly patterns: ReadonlyMap<string, Pattern>;
};

export function createObservePatterns({ graph }: { readonly graph: ExamplesGraph }) {
  return async (jobs: readonly Job[], now: Timestamp): Promise<Observed> => {
    const byType = new Map(jobs.filter(exemplifies).map((job) => [job.loaded.memory.type as string, job]));
    const existing = new Map(
      (await graph.memories([...byType.keys()].map(patternId))).map((loaded) => [loaded.memory.id, loaded]),
    );
    const commands: ObservedPattern[] = [];
    const patterns = new Map<string, Pattern>();
    for (const [type, job] of byType) {
      const loaded = existing.get(patternId(type));
      const known = loaded && patternOf(loaded.memory.metadata);
      if (known) patterns.set(type, known);
      const command = await draft({ type, job, loaded, knownObservations: known?.observations ?? 0, now });
      if (command) commands.push(command);
    }
    return { commands, patterns };
  };

  /** Null while the existing pattern is recent enough, or too few memories show one. */
  async function draft({
    type,
    job,
    loaded,
    knownObservations,
    now,
  }: {
    readonly type: string;
    readonly job: Job;
    readonly loaded: LoadedMemory | undefined;
    readonly knownObservations: number;
    readonly now: Timestamp;
  }): Promise<ObservedPattern | null> {
    const observations = await countOfType(graph, type);
    if (observations <= OTHERS_NEEDED || observations < 2 * knownObservations) return null;
    const others = await readExamples(graph, { type, now, but: job.loaded.memory.id });
    if (others.length < OTHERS_NEEDED) return null;
    return draftPattern({
      type,
      observations,
      examples: others.slice(0, CONTENTS_LIMIT),
      version: loaded?.version ?? 0,
      causationId: job.wanted.eventId,
    });
  }
}

export function exemplifies({ loaded: { memory } }: Job): boolean {
  return memory.confidence > PATTERN_CONFIDENCE;
}
