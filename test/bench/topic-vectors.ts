/** Vectors as encoders give them: what is about the same thing lies close together, so that a memory has neighbours by meaning. */
import { seededRandom, type Random } from '../support/random.js';

const DIMENSION = 512;
/** Length of what a memory has of its own beside its topic's direction: two of a topic have a cosine of some 0.86. */
const OWN_SHARE = 0.4;

export type TopicVectors = (topic: number) => readonly number[];

/** A direction for each topic, the same in every run, and around it one for each call; four digits, so a body of about 3 KB. */
export function createTopicVectors(random: Random): TopicVectors {
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
