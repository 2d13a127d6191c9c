/** Fills a service for the views of the console, which list what a small service does not have. */
import { until } from '../../support/checks/until.js';
import { numberedId } from '../../support/fixtures/events.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { unitVector } from '../corpus/fill.js';
import type { Target } from '../measuring/run-bench.js';

/** Memories and associations of one request. */
const BATCH = 500;
/** Requests at a time. */
const CLIENTS = 2;
/** So many different entities, each memory names two. Their uses are uneven: the first one has the most. */
const ENTITIES = 20_000;
const CATEGORIES = ['people', 'organizations', 'tools', 'projects', 'concepts', 'events', 'opportunities'] as const;
const TYPES = ['Decision', 'Pattern', 'Preference', 'Style', 'Habit', 'Insight', 'Context'] as const;
const RELATIONS = ['RELATES_TO', 'LEADS_TO', 'PART_OF', 'EXEMPLIFIES', 'REINFORCES'] as const;
/** One memory in four has the time of the import, as the records of a file without times have. */
const EQUAL_TIMES = 4;
const DEADLINE_MS = 3_600_000;

/**
 * Imports memories with numbered ids, random vectors, and two entities and two associations each; one memory in four
 * has the same time. Resolves when the index has all of them.
 */
export async function fillViews({ call, request }: Target, random: Random, size: number): Promise<void> {
  const now = new Date();
  const memory = (index: number) => {
    const made = corpusMemory(random, index, now);
    return {
      ...made,
      id: numberedId(index),
      type: random.pick(TYPES),
      tags: [...made.tags, entityTag(random), entityTag(random)],
      timestamp: index % EQUAL_TIMES === 0 ? now.toISOString() : made.timestamp,
      embedding: unitVector(random),
    };
  };
  const association = (target: number) => ({
    memory1_id: numberedId(target),
    memory2_id: numberedId(random.below(target)),
    type: random.pick(RELATIONS),
    strength: 0.3 + 0.7 * random.next(),
  });
  async function importAll(what: 'memories' | 'associations', records: (first: number) => readonly object[]) {
    let next = 0;
    const client = async (): Promise<void> => {
      for (let first = next; first < size; first = next) {
        next += BATCH;
        await call('POST', '/admin/import', { [what]: records(first) });
        if (next % 10_000 === 0) process.stderr.write(`imported ${what} of ${next} memories\n`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }
  const indexes = (first: number): readonly number[] =>
    Array.from({ length: Math.min(BATCH, size - first) }, (_, index) => first + index);
  await importAll('memories', (first) => indexes(first).map(memory));
  for (let each = 0; each < 2; each += 1)
    await importAll('associations', (first) =>
      indexes(first)
        .filter((index) => index > 0)
        .map(association),
    );
  const isIndexed = async () => {
    const { body } = await request('GET', '/health');
    return body.in_flight === 0 && body.vector_count >= size;
  };
  await until('all memories are indexed', isIndexed, DEADLINE_MS);
}

function entityTag(random: Random): string {
  const entity = Math.floor(ENTITIES * random.next() ** 3);
  return `entity:${CATEGORIES[entity % CATEGORIES.length] ?? ''}:named-${entity}`;
}
