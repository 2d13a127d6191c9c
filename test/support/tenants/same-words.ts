/**
 * The memories of the proofs: those of a neighbour have the ids, words, tags, entities and vectors of those of the
 * tenant that is observed and one more word.
 */
import { expect } from 'chai';
import { createHttpCaller } from '../clients/http-caller.js';
import { seededRandom } from '../fixtures/random.js';
import type { TestTenant } from './tenant.js';

/** In the content and the entities of each memory of a neighbour, and in nothing that the observed tenant has. */
export const CANARY = 'zanzibarine';

export type ImportedMemory = {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly timestamp: string;
  readonly embedding?: readonly number[] | undefined;
};

const PEOPLE = ['anna-berg', 'a-berg', 'ana-berg', 'ola-nordmann'] as const;
const SENTENCES = [
  'Anna Berg prefers green tea in the morning.',
  'Ola Nordmann orders coffee and tea for the office on Mondays.',
  'The office in Oslo serves drinks in the spring.',
  'Run the migrations before the deployment of the service.',
  'Anna drank coffee until the spring, and green tea since.',
] as const;
const DIMENSION = 384;
const DAY_MS = 24 * 3_600_000;
/** So old that their age, which differs between two runs by seconds, changes no score. */
const FIRST_TIME = Date.parse('2019-01-01T09:00:00Z');

/** The memory with this number. Two of them have the same age only beyond 1,000 days. */
export function memoryOf(number: number): ImportedMemory {
  const random = seededRandom(number);
  const person = PEOPLE[number % PEOPLE.length] ?? PEOPLE[0];
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    content: `${SENTENCES[number % SENTENCES.length]} Note ${number}.`,
    type: number % 2 === 0 ? 'Context' : 'Preference',
    tags: ['drinks', `entity:people:${person}`],
    importance: 0.3 + (number % 600) / 1_000,
    timestamp: new Date(FIRST_TIME + (number % 1_000) * DAY_MS).toISOString(),
    embedding: Array.from({ length: DIMENSION }, () => Math.round(random.next() * 20 - 10) / 100),
  };
}

export function neighbourMemoryOf(number: number): ImportedMemory {
  const { content, tags, ...memory } = memoryOf(number);
  return {
    ...memory,
    content: `${content} ${CANARY}`,
    tags: [...tags, `entity:people:${CANARY}-berg`],
    importance: 1,
  };
}

const BATCH = 500;

type Target = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export async function importMemories({ url, headers }: Target, memories: readonly ImportedMemory[]): Promise<void> {
  const { request } = createHttpCaller(url);
  for (let start = 0; start < memories.length; start += BATCH) {
    const body = { memories: memories.slice(start, start + BATCH) };
    const reply = await request('POST', '/admin/import', { headers, body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    expect(reply.body.memories.refused).to.deep.equal([]);
  }
}

export type Writer = {
  /** Requests that the service has answered so far. */
  readonly answered: () => number;
  readonly stop: () => Promise<void>;
};

const WRITERS = 2;
const BATCH_OF_WRITER = 10;
/** A writer that is not stopped ends after so many requests. */
const REQUESTS_LIMIT = 20_000;

/** Writes new memories, changes them and recalls them, each request right after the one before. */
export function startWriting({ url, neighbour }: { readonly url: string; readonly neighbour: TestTenant }): Writer {
  const stopping = new AbortController();
  let answered = 0;
  let next = FIRST_OF_WRITER;
  const { headers, request } = neighbour;

  async function write(): Promise<void> {
    while (!stopping.signal.aborted && answered < REQUESTS_LIMIT) {
      const memories = Array.from({ length: BATCH_OF_WRITER }, () => neighbourMemoryOf((next += 1)));
      await importMemories({ url, headers }, memories);
      const path = `/memory/${memories[0]?.id}`;
      const changed = await request('PATCH', path, { body: { content: `Anna Berg prefers tea. ${CANARY} ${next}` } });
      const recalled = await request('GET', '/recall?query=green+tea&limit=5');
      expect([changed.status, recalled.status]).to.deep.equal([200, 200]);
      answered += 3;
    }
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  writing.catch(() => undefined); // `stop` reports it
  return {
    answered: () => answered,
    stop: async () => {
      stopping.abort();
      await writing;
    },
  };
}

const FIRST_OF_WRITER = 1_000_000;
