/**
 * Measures whether recall finds identifiers: 40 memories with a ticket, a commit, a path or an error code among
 * thousands of others, each asked for by its identifier alone and in a sentence. Vectors carry no information about
 * such names.
 */
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { fill } from '../corpus/fill.js';
import { untilIndexed } from '../measuring/background.js';
import type { Target } from '../measuring/run-bench.js';

const EACH = 10;
const FIRST = 3;

/** The answer to one query for the memory of an identifier. */
export type RankedIdentifier = {
  readonly form: 'bare' | 'in a sentence';
  readonly query: string;
  /** From 1; null when the memory is not among the first three. */
  readonly rank: number | null;
  readonly firstContent: string;
};

/** `among`: the other memories, and how many of them the service encodes; the others have random vectors. */
export async function rankIdentifiers(
  target: Target,
  among: { readonly size: number; readonly encoded: number },
): Promise<readonly RankedIdentifier[]> {
  const random = seededRandom(11);
  await fill(target, random, among);
  const identified = Array.from({ length: EACH * KINDS.length }, (_, index) => {
    const { named, content = '', question = '' } = KINDS[index % KINDS.length] ?? {};
    const identifier = named?.(random) ?? '';
    return { identifier, content: content.replace('ID', identifier), question: question.replace('ID', identifier) };
  });
  const memories = identified.map(({ content }) => ({ content }));
  const { memory_ids: ids } = (await target.call('POST', '/memory/batch', { memories })).body;
  await untilIndexed(target);
  const ranked: RankedIdentifier[] = [];
  for (const [index, { identifier, question }] of identified.entries())
    for (const [form, query] of [
      ['bare', identifier],
      ['in a sentence', question],
    ] as const) {
      const search = new URLSearchParams({ query, limit: String(FIRST) });
      const { results } = (await target.call('GET', `/recall?${search}`)).body;
      const rank = results.findIndex(({ id }: { id: string }) => id === ids[index]) + 1;
      ranked.push({ form, query, rank: rank === 0 ? null : rank, firstContent: results[0]?.memory.content ?? '' });
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
