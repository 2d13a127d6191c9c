/**
 * Attacks by work that goes on after the answer: vectors, enrichment and deletions. They come last, because they leave
 * work behind.
 */
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { type Attack, json, many } from './attack.js';

const storeBatch = (body: Buffer) => ({ method: 'POST', path: '/memory/batch', body });

function batches(name: string, count: number, memory: (index: number) => object): Attack {
  return {
    class: 'background',
    name,
    prepare: () =>
      many(count, (batch) => json({ memories: many(BATCH_LIMIT, (index) => memory(batch * BATCH_LIMIT + index)) })),
    attack: ({ flood }, body) => flood(count, (index) => storeBatch(body(index))),
  };
}

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov', 'Donald Knuth'];

export const backgroundAttacks: readonly Attack[] = [
  {
    class: 'background',
    name: '500 changes of the content of one memory',
    attack: ({ target, flood }) =>
      flood(500, (index) => ({
        method: 'PATCH',
        path: `/memory/${target.spokes[0]}`,
        body: json({ content: `The content of this spoke is number ${index}` }),
      })),
  },
  batches('2 batches of memories with many entities', 2, (index) => ({
    content: many(
      40,
      (word) => `${NAMES[word % NAMES.length]} met Person${index} ${word} in Town${(index * word) % 89}.`,
    ).join(' '),
    tags: many(20, (tag) => `entity:people:person-${index % 50}-${tag}`),
  })),
  batches('2 batches of memories of 2,000 characters', 2, (index) => ({
    content: many(400, (word) => `w${(word * index) % 991}`)
      .join(' ')
      .slice(0, 2_000),
    tags: ['to-delete'],
  })),
  {
    class: 'background',
    name: 'the deletion of 1,000 memories by tag, 20 times',
    attack: ({ flood }) => flood(20, () => ({ method: 'DELETE', path: '/memory/by-tag?tags=to-delete' })),
  },
  batches('20 batches of copies of one memory', 20, () => ({ content: 'The same sentence is stored again and again' })),
];
