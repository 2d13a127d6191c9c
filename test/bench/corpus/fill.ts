/** Fills a service with memories of the corpus through the HTTP API. */
import { BUNDLED_DIMENSION } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { until } from '../../support/checks/until.js';
import { numberedId } from '../../support/fixtures/events.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { untilIndexed } from '../measuring/background.js';
import type { Target } from '../measuring/run-bench.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';
import { corpusMemory, corpusQuestion, PEOPLE } from './corpus.js';

const BATCH = 500;
/** One makes the next batch while the service stores that of the other. */
const IMPORTERS = 2;

/**
 * Stores `encoded` memories in batches, which the service embeds, and the rest one by one with random vectors. Waits
 * until all are indexed.
 */
export async function fill(
  target: Pick<Target, 'request' | 'call'>,
  random: Random,
  { size, ...wanted }: { readonly size: number; readonly encoded: number },
): Promise<Row[]> {
  const now = new Date();
  const encoded = Math.min(size, wanted.encoded);
  const rows: Row[] = [];
  const batches = await timeCalls(encoded / BATCH, 1, (batch) => {
    const length = Math.min(BATCH, encoded - batch * BATCH);
    const memories = Array.from({ length }, (_, index) => corpusMemory(random, batch * BATCH + index, now));
    return target.call('POST', '/memory/batch', { memories });
  });
  if (encoded > 0)
    rows.push(
      timingRow(`batches of ${BATCH}, vectors awaited (${(batches.perSecond * BATCH).toFixed(0)} memories/s)`, batches),
    );
  if (size > encoded) {
    const singles = await timeCalls(size - encoded, 32, (index) =>
      target.call('POST', '/memory', { ...corpusMemory(random, encoded + index, now), embedding: unitVector(random) }),
    );
    rows.push(timingRow('single stores with a supplied vector, vector awaited, 32 clients', singles));
  }
  await untilIndexed(target);
  return rows;
}

/**
 * Imports memories with random vectors, the fields that `more` gives, and ids of the numbers from `first` to `size`.
 * Waits until all are indexed.
 */
export async function importMemories(
  { call, request }: Target,
  random: Random,
  {
    first = 0,
    size,
    more = () => ({}),
  }: { readonly first?: number; readonly size: number; readonly more?: () => object },
): Promise<void> {
  const now = new Date();
  await timeCalls((size - first) / BATCH, IMPORTERS, (batch) => {
    const from = first + batch * BATCH;
    const memories = Array.from({ length: Math.min(BATCH, size - from) }, (_, index) => ({
      ...corpusMemory(random, from + index, now),
      id: numberedId(from + index),
      embedding: unitVector(random),
      ...more(),
    }));
    return call('POST', '/admin/import', { memories });
  });
  await untilVectors({ request }, size);
}

/** The index has at least so many vectors. */
export async function untilVectors({ request }: Pick<Target, 'request'>, count: number): Promise<void> {
  const isIndexed = async () => {
    const { body } = await request('GET', '/health');
    return body.in_flight === 0 && body.vector_count >= count;
  };
  await until('all memories are indexed', isIndexed, 3_600_000);
}

/** One association in fifty supersedes; the others have one of these types. */
const TYPES = ['RELATES_TO', 'LEADS_TO', 'PART_OF', 'EXEMPLIFIES', 'REINFORCES'] as const;
const SUPERSEDING_SHARE = 0.02;

/**
 * Writes `each` associations for each memory. Most of them connect memories that are close in the list, a few are far
 * apart.
 */
export async function associateAll({ call }: Target, random: Random, each: number): Promise<Row[]> {
  const ids = await corpusIds(call);
  const wanted = ids.length * each;
  if (wanted === 0) return [];
  const association = () => {
    const from = random.below(ids.length);
    const step = 1 + Math.floor((ids.length - 1) * random.next() ** 3);
    return {
      memory1_id: ids[from],
      memory2_id: ids[(from + step) % ids.length],
      type: random.next() < SUPERSEDING_SHARE ? 'EVOLVED_INTO' : random.pick(TYPES),
      strength: 0.3 + 0.7 * random.next(),
    };
  };
  const timing = await timeCalls(Math.ceil(wanted / BATCH), 1, (batch) => {
    const associations = Array.from({ length: Math.min(BATCH, wanted - batch * BATCH) }, association);
    return call('POST', '/associate', { associations });
  });
  return [timingRow(`${wanted} associations, in batches of ${BATCH}`, timing)];
}

const PAGE = 200;

/** The ids of all memories of the corpus: each has the tag of one person. */
async function corpusIds(call: Target['call']): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const person of PEOPLE)
    for (let offset = 0, more = true; more; offset += PAGE) {
      const path = `/memory/by-tag?tags=person:${person.toLowerCase()}&limit=${PAGE}&offset=${offset}`;
      const { body } = await call('GET', path);
      ids.push(...(body.memories as { id: string }[]).map(({ id }) => id));
      more = body.has_more;
    }
  return ids;
}

const QUESTIONS = 40;

/**
 * A recall with question number `index`. Every question is asked once before, so that the service has the vectors of
 * all.
 */
export async function knownRecalls({ call }: Target, random: Random): Promise<(index: number) => Promise<unknown>> {
  const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(corpusQuestion(random)));
  const recall = (index: number) => call('GET', `/recall?query=${questions[index % QUESTIONS] ?? ''}&limit=5`);
  await timeCalls(QUESTIONS, 1, recall);
  return recall;
}

/** Number of topics; each is equally frequent. */
const TOPICS = 400;
/**
 * Length of a memory's own part in relation to its topic's direction: two memories of a topic have a cosine of about
 * 0.86.
 */
const OWN_SHARE = 0.4;

/** Stores memory number `index` and resolves with its id. */
export type StoreWithVector = (index: number) => Promise<string>;

/**
 * Stores memories with vectors as encoders produce them: memories of one topic are close together, so each memory has
 * neighbours by meaning. A topic has the same direction in every run.
 */
export function createStoreWithVector({ call }: Pick<Target, 'call'>, random: Random): StoreWithVector {
  const directions = Array.from({ length: TOPICS }, (_, topic) => unitVector(seededRandom(topic + 1)));
  return async (index) => {
    const memory = { ...corpusMemory(random, index, new Date()), type: 'Decision', confidence: 0.8 };
    const direction = random.pick(directions);
    const own = unitVector(random);
    const embedding = scaledToUnit(direction.map((value, at) => value + OWN_SHARE * (own[at] ?? 0)));
    return (await call('POST', '/memory', { ...memory, embedding })).body.memory_id;
  };
}

export function unitVector(random: Random): readonly number[] {
  return scaledToUnit(Array.from({ length: BUNDLED_DIMENSION }, () => random.next() - 0.5));
}

/** Four digits a number make a body of about 3 KB. */
function scaledToUnit(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values);
  return values.map((value) => Number((value / length).toFixed(4)));
}
