/**
 * Measures whether recall finds identifiers: 40 memories with a ticket, a commit, a path or an error code among thousands of others, each asked
 * for by its identifier alone and in a sentence. Vectors carry no information about such names.
 */
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { fill } from '../corpus/fill.js';
import { untilIndexed } from '../measuring/background.js';
import type { Target } from '../measuring/run-bench.js';

export const OTHERS = 5_900;
const EACH = 10;
const BATCH = 500;
const FIRST = 3;
const END = new Date('2024-06-01T00:00:00Z');

type Identified = { readonly identifier: string; readonly content: string; readonly question: string };

/** `among`: stores this number of other memories with random vectors. Null: stores OTHERS memories, which the service encodes. */
export async function storeIdentifiers(target: Target, among: number | null): Promise<ReadonlyMap<string, Identified>> {
  const random = seededRandom(11);
  if (among === null) await storeOthers(target, random);
  else await fill(target, random, { size: among, encoded: 0 });
  const identified = Array.from({ length: EACH }, () => KINDS).flatMap((kinds) =>
    kinds.map(({ named, content, question }) => {
      const identifier = named(random);
      return {
        identifier,
        content: content.replace('ID', identifier),
        question: question.replace('ID', identifier),
      };
    }),
  );
  const ids = await storeAll(
    target,
    identified.map(({ content }) => ({ content, timestamp: END.toISOString() })),
  );
  await untilIndexed(target);
  return new Map(identified.map((one, index) => [ids[index] ?? '', one]));
}

async function storeOthers(target: Target, random: Random): Promise<void> {
  const others = Array.from({ length: OTHERS }, (_, index) => corpusMemory(random, index, END));
  for (let start = 0; start < others.length; start += BATCH) await storeAll(target, others.slice(start, start + BATCH));
}

/** The answer to one query for the memory of an identifier. */
export type RankedIdentifier = {
  readonly form: 'bare' | 'in a sentence';
  readonly query: string;
  /** From 1; null when the memory is not among the first three. */
  readonly rank: number | null;
  readonly firstContent: string;
};

export async function rankIdentifiers(
  target: Target,
  identified: ReadonlyMap<string, Identified>,
): Promise<readonly RankedIdentifier[]> {
  const ranked: RankedIdentifier[] = [];
  for (const [id, { identifier, question }] of identified) {
    ranked.push({ form: 'bare', ...(await rankOf(target, identifier, id)) });
    ranked.push({ form: 'in a sentence', ...(await rankOf(target, question, id)) });
  }
  return ranked;
}

/** One line for each form of the query, and one for each query whose memory is not the first result. */
export function identifierLines(ranked: readonly RankedIdentifier[], others: number): readonly string[] {
  const forms = [...new Set(ranked.map(({ form }) => form))].map((form) => {
    const ranks = ranked.filter((one) => one.form === form).map(({ rank }) => rank);
    const [first, found] = [ranks.filter((rank) => rank === 1).length, ranks.filter((rank) => rank !== null).length];
    return `  ${form}: ${first} of ${ranks.length} in the first place, ${found} in the first ${FIRST}`;
  });
  const misses = ranked
    .filter(({ rank }) => rank !== 1)
    .map(
      ({ query, rank, firstContent }) => `  ${query}: place ${rank ?? `after ${FIRST}`}, first is "${firstContent}"`,
    );
  return [`identifiers among ${others} generated memories`, ...forms, ...misses];
}

const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.below(16).toString(16)).join('');

/** Questions and memories share no words except the identifier, here ID. */
const KINDS = [
  {
    named: (random: Random) => `PAY-${4000 + random.below(5000)}`,
    content: "ID is about refunds that arrive twice; wait for the bank's answer.",
    question: 'what do we know of ID',
  },
  {
    named: (random: Random) => hex(random, 8),
    content: 'The regression came in with commit ID, reverted on Friday.',
    question: 'why was ID taken back',
  },
  {
    named: (random: Random) => `src/${hex(random, 3)}/handlers/session_${hex(random, 4)}.ts`,
    content: 'Token refresh lives in ID and is called from the router.',
    question: 'what happens inside ID again',
  },
  {
    named: (random: Random) => `ERR_QUOTA_${hex(random, 4).toUpperCase()}`,
    content: 'ID means the tenant has used up its plan; raise it by hand.',
    question: 'how to get rid of ID',
  },
];

async function rankOf(target: Target, query: string, id: string): Promise<Omit<RankedIdentifier, 'form'>> {
  const search = new URLSearchParams({ query, limit: String(FIRST) });
  const { body } = await target.call('GET', `/recall?${search}`);
  const results = body.results as readonly { readonly id: string; readonly memory: { readonly content: string } }[];
  const index = results.findIndex((result) => result.id === id);
  return { query, rank: index < 0 ? null : index + 1, firstContent: results[0]?.memory.content ?? '' };
}

async function storeAll(target: Target, memories: readonly object[]): Promise<readonly string[]> {
  return (await target.call('POST', '/memory/batch', { memories })).body.memory_ids;
}
