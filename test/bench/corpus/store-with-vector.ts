/** Stores memories together with a vector, so that the speed of the encoder does not affect the measurement. */
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import type { Target } from '../measuring/run-bench.js';
import { corpusMemory } from './corpus.js';

/** Number of topics; each is equally frequent. */
const TOPICS = 400;

/** Stores memory number `index` and resolves with its id. */
export type StoreWithVector = (index: number) => Promise<string>;

export function createStoreWithVector({ call }: Pick<Target, 'call'>, random: Random): StoreWithVector {
  const vectorOf = createTopicVectors(random);
  return async (index) => {
    const memory = {
      ...corpusMemory(random, index, new Date()),
      type: 'Decision',
      confidence: 0.8,
      embedding: vectorOf(random.below(TOPICS)),
    };
    return (await call('POST', '/memory', memory)).body.memory_id;
  };
}

const DIMENSION = 512;
/** Length of a memory's own part in relation to its topic's direction: two memories of a topic have a cosine of about 0.86. */
const OWN_SHARE = 0.4;

type TopicVectors = (topic: number) => readonly number[];

/**
 * Vectors as encoders produce them: memories of one topic are close together, so each memory has neighbours by meaning. A topic has the same
 * direction in every run, and each call returns a vector near it. Four digits a number make a body of about 3 KB.
 */
function createTopicVectors(random: Random): TopicVectors {
  const directions = new Map<number, readonly number[]>();
  return (topic) => {
    const direction = directions.get(topic) ?? unit(seededRandom(topic + 1));
    directions.set(topic, direction);
    const own = unit(random);
    const mixed = direction.map((value, at) => value + OWN_SHARE * (own[at] ?? 0));
    const length = Math.hypot(...mixed);
    return mixed.map((value) => Number((value / length).toFixed(4)));
  };
}

function unit(random: Random): readonly number[] {
  const raw = Array.from({ length: DIMENSION }, () => random.next() - 0.5);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
