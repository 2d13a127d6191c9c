/** Stores memories that bring a vector of their own, so that the pace of the encoder is no part of what is measured. */
import type { HttpCaller } from '../support/http-caller.js';
import type { Random } from '../support/random.js';
import { corpusMemory } from './corpus.js';
import { createTopicVectors } from './topic-vectors.js';

/** Subjects that the memories are about, each as often as any other. */
const TOPICS = 400;

/** Stores memory number `index` and resolves with its id. */
export type StoreGiven = (index: number) => Promise<string>;

export function createStoreGiven(target: HttpCaller, random: Random): StoreGiven {
  const vectorOf = createTopicVectors(random);
  return async (index) => {
    const memory = {
      ...corpusMemory(random, index, new Date()),
      type: 'Decision',
      confidence: 0.8,
      embedding: vectorOf(random.below(TOPICS)),
    };
    const { status, body } = await target.request('POST', '/memory', { body: memory });
    if (status !== 201) throw new Error(`A store was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    return body.memory_id;
  };
}
