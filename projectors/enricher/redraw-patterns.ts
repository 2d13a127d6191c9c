/**
 * Draws the existing patterns again after deletions, from the memories that are left, so that the words of a deleted
 * memory do not stay in them. The events of a deleted memory are erased, so its type is unknown and every pattern is
 * compared.
 */
import type { ObservedPattern, RecordEnrichments } from '../../shared/contract/enrichment.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import { MEMORY_TYPES } from '../../shared/contract/memory.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import { DependencyError, toError } from '../../shared/kernel/errors.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';
import { CONTENTS_LIMIT, OTHERS_NEEDED } from './observe-patterns.js';
import { draftPattern, type Pattern, patternId, patternOf } from './pattern.js';
import { countOfType, type ExamplesGraph, readExamples } from './read-examples.js';
import { recordAll } from './record-all.js';

const PATTERN_IDS = new Map(MEMORY_TYPES.map((type) => [patternId(type) as string, type]));
/** Another instance may write the same pattern in between. */
const ATTEMPTS = 3;

export function createRedrawPatterns({
  graph,
  record,
  clock,
}: {
  readonly graph: ExamplesGraph;
  readonly record: RecordEnrichments;
  readonly clock: Clock;
}) {
  return async (events: readonly RecordedEvent[]): Promise<void> => {
    const deletion = events.findLast(({ type, subject }) => type === 'memory.deleted' && !PATTERN_IDS.has(subject));
    if (deletion === undefined) return;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const commands = await draftChanged(deletion.id);
      const outcomes = commands.length === 0 ? [] : await recordAll(record, commands);
      const failed = outcomes.find((outcome) => outcome instanceof Error);
      if (failed) throw toError(failed);
      if (!outcomes.includes('outdated')) return;
    }
    throw new DependencyError('commands', `Patterns changed during all ${ATTEMPTS} attempts to draw them again`, {
      retryAfterSeconds: 1,
    });
  };

  async function draftChanged(causationId: string): Promise<readonly ObservedPattern[]> {
    const commands: ObservedPattern[] = [];
    for (const loaded of await graph.memories(MEMORY_TYPES.map(patternId))) {
      const known = patternOf(loaded.memory.metadata);
      const command = known && known.keyTerms.length > 0 ? await draftAgain(loaded, known, causationId) : null;
      if (command) commands.push(command);
    }
    return commands;
  }

  /** Null while the words stay the same. */
  async function draftAgain(
    { version }: LoadedMemory,
    { type, keyTerms }: Pattern,
    causationId: string,
  ): Promise<ObservedPattern | null> {
    const examples = await readExamples(graph, { type, now: formatTimestamp(clock.now()), but: null });
    // The words of one or two memories show no pattern.
    const shown = examples.length < OTHERS_NEEDED ? [] : examples.slice(0, CONTENTS_LIMIT);
    const observations = await countOfType(graph, type);
    const draft = draftPattern({ type, observations, examples: shown, version, causationId });
    return String(patternOf(draft.metadata)?.keyTerms) === String(keyTerms) ? null : draft;
  }
}
