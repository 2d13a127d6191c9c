/** GET /analyze: an overview of the memories. All but the counts come from bounded samples. */
import { ANALYZED } from '../../shared/contract/graph-views/whole-graph.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { GraphInspector, Preference } from '../../shared/ports/graph-inspector.js';
import type { GraphScan } from '../../shared/ports/graph-scan.js';
import { rounded } from '../recall/present/rounded.js';

const [PATTERN_LIMIT, PATTERN_CONFIDENCE] = [10, 0.6] as const;
/** Pattern memories that are read; there is one for each type of memory, and some of consolidation. */
const PATTERNS_READ = 200;
const PREFERENCE_LIMIT = 10;
const [LOW_CONFIDENCE, HIGH_CONFIDENCE] = [0.4, 0.7] as const;

type Dependencies = {
  readonly inspector: Pick<GraphInspector, 'totals' | 'averageConfidences' | 'mostImportant' | 'strongestPreferences'>;
  readonly graphScan: Pick<GraphScan, 'newest'>;
};

export function createAnalyzeMemories({ inspector, graphScan }: Dependencies): Handler<'analyzeMemories'> {
  return async ({ context: { startedAt } }) => {
    const [{ memories: totals }, confidences, patterns, preferences, loaded] = await Promise.all([
      inspector.totals(),
      inspector.averageConfidences(),
      inspector.mostImportant({
        types: ['MetaPattern'],
        minImportance: 0,
        since: null,
        after: null,
        limit: PATTERNS_READ,
      }),
      inspector.strongestPreferences(PREFERENCE_LIMIT),
      graphScan.newest({ before: null, limit: Math.max(...Object.values(ANALYZED)) }),
    ]);
    const newest = loaded.map(({ memory }) => memory);
    const types = [...totals].map(
      ([type, count]) => [type, { count, average_confidence: rounded(confidences.get(type) ?? 0, 4) }] as const,
    );
    return {
      status: 200,
      body: {
        status: 'success',
        elapsed_ms: rounded(performance.now() - startedAt, 2),
        analytics: {
          memory_types: Object.fromEntries(types),
          patterns: describePatterns(patterns),
          preferences: preferences.map(describePreference),
          temporal_insights: byHour(newest.slice(0, ANALYZED.temporal)),
          entity_frequency: Object.fromEntries(countEntities(newest.slice(0, ANALYZED.entities))),
          confidence_distribution: byConfidence(newest.slice(0, ANALYZED.confidence)),
        },
      },
    };
  };
}

function describePatterns(patterns: readonly Memory[]) {
  return patterns
    .filter(({ confidence }) => confidence > PATTERN_CONFIDENCE)
    .sort((one, other) => other.confidence - one.confidence)
    .slice(0, PATTERN_LIMIT)
    .map(({ type, content, confidence, metadata: { pattern_type: of, observations } }) => ({
      type: typeof of === 'string' ? of : type,
      description: content,
      confidence,
      observations: typeof observations === 'number' ? Math.max(0, Math.trunc(observations)) : 0,
    }));
}

function describePreference({ association: { strength, properties }, prefers, over }: Preference) {
  const { context } = properties;
  return {
    prefers: prefers.content,
    over: over.content,
    context: typeof context === 'string' ? context : '',
    strength,
  };
}

function byHour(memories: readonly Memory[]) {
  const hours = new Map<string, number[]>();
  for (const { timestamp, importance } of memories) {
    const hour = `hour_${timestamp.slice(11, 13)}`;
    const found = hours.get(hour);
    if (found) found.push(importance);
    else hours.set(hour, [importance]);
  }
  return Object.fromEntries(
    [...hours]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([hour, found]) => [
        hour,
        { count: found.length, avg_importance: rounded(found.reduce((sum, each) => sum + each, 0) / found.length, 4) },
      ]),
  );
}

function byConfidence(memories: readonly Memory[]) {
  const low = memories.filter(({ confidence }) => confidence < LOW_CONFIDENCE).length;
  const high = memories.filter(({ confidence }) => confidence >= HIGH_CONFIDENCE).length;
  return { low, medium: memories.length - low - high, high };
}

const METADATA_FIELDS = ['entities', 'keywords', 'topics'] as const;
const NAME_LIMIT = 50;
/** Longer texts are no names. */
const NAME_LENGTH = 200;

/**
 * Counts the names in the metadata of memories. The names of most memories first, each with the number of memories
 * that have it; ties in the order of the alphabet.
 */
function countEntities(memories: readonly Memory[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const memory of memories) {
    for (const name of namesOf(memory)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, NAME_LIMIT);
}

function namesOf({ metadata, entities }: Memory): ReadonlySet<string> {
  const texts = [...METADATA_FIELDS.map((field) => metadata[field]), entities].flatMap(textsIn);
  return new Set(texts.map((text) => text.trim()).filter((text) => text !== '' && text.length <= NAME_LENGTH));
}

/** A text, a list of texts, or an object that has such lists by category. */
function textsIn(value: unknown): readonly string[] {
  const parts: readonly unknown[] = isRecord(value) ? Object.values(value).flat() : [value].flat();
  return parts.filter((part) => typeof part === 'string');
}
