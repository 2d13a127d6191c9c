/**
 * `npm run bench:rebuild`: measures the replay of the journal into an emptied graph, in both compositions. Servers as
 * for the tests. Each memory has a stored event, an enrichment with six derived associations and one association of a
 * caller; every fourth is changed afterwards.
 */
import { parseArgs } from 'node:util';
import type { NewEvent } from '../../../shared/contract/events.js';
import { beginMark, createCheckMark } from '../../../shared/integrity/journal-mark/check-mark.js';
import { MARKED_GRAPHS } from '../../support/adapters/marked-graphs.js';
import { associated, memory, numberedId, stored, updated } from '../../support/fixtures/events.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { inSeconds, printTable } from '../measuring/timing.js';

const { values } = parseArgs({ options: { memories: { type: 'string', default: '10000' } } });
const MEMORIES = Number(values.memories);
const CHUNK = 200;
const WORDS = 60;
const VOCABULARY = 8_000;
const DERIVED = 6;

for (const adapter of MARKED_GRAPHS) {
  const pair = await adapter.open();
  try {
    const random = seededRandom(1);
    await beginMark(pair);
    for (let first = 1; first <= MEMORIES; first += CHUNK) await pair.commit(eventsFrom(first, random));
    await pair.emptyGraph();
    const { result, seconds } = await inSeconds(() => pair.replay());
    const { events, subjects } = result.progress;
    const rate = `${Math.round(events / seconds)} events/s`;
    printTable(`${adapter.name}, ${MEMORIES} memories`, [
      { what: `${events} events of ${subjects} subjects into the emptied graph`, figure: rate },
      { what: 'comparison afterwards', figure: (await createCheckMark(pair)()).kind },
    ]);
  } finally {
    await pair.close();
  }
}

function eventsFrom(first: number, random: Random): readonly NewEvent[] {
  const numbers = Array.from({ length: Math.min(CHUNK, MEMORIES - first + 1) }, (_, index) => first + index);
  return numbers.flatMap((number) => {
    const fields = { content: sentence(random), tags: [`project:${random.below(40)}`, `topic:${random.below(400)}`] };
    const target = 1 + random.below(MEMORIES);
    return [
      stored(number, fields),
      enriched(number, fields, random),
      ...(target === number ? [] : [associated(number, target)]),
      ...(number % 4 === 0 ? [updated(number, 3, { ...fields, importance: 0.8 })] : []),
    ];
  });
}

type Fields = { readonly content: string; readonly tags: readonly string[] };

function enriched(number: number, fields: Fields, random: Random): NewEvent {
  const targets = new Set(Array.from({ length: DERIVED }, () => 1 + random.below(MEMORIES)));
  targets.delete(number);
  const association = { type: 'SIMILAR_TO' as const, strength: 0.8, properties: { score: 0.8 } };
  const derived = [...targets].map((target) => ({ target: numberedId(target), ...association }));
  const after = memory(number, { ...fields, enriched: true });
  const data = { memory: after, vectorRef: null, changed: ['enriched'], derived };
  return { ...updated(number, 2), type: 'memory.enriched', data } as NewEvent; // the type and the data belong together
}

function sentence(random: Random): string {
  return Array.from({ length: WORDS }, () => `word${random.below(VOCABULARY)}`).join(' ');
}
