/**
 * Measures whether recall finds identifiers: 40 memories with a ticket, a commit, a path or an error code among 6,000 others, each asked for by
 * its identifier alone and in a sentence. Vectors carry no information about such names.
 */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';

const OTHERS = 6_000;
const EACH = 10;
const BATCH = 500;
const FIRST = 3;
const END = new Date('2024-06-01T00:00:00Z');

type Identified = { readonly identifier: string; readonly content: string; readonly question: string };

export async function storeIdentifiers(target: HttpCaller): Promise<ReadonlyMap<string, Identified>> {
  const random = seededRandom(11);
  const others = Array.from({ length: OTHERS }, (_, index) => corpusMemory(random, index, END));
  for (let start = 0; start < others.length; start += BATCH) await storeAll(target, others.slice(start, start + BATCH));
  const identified = Array.from({ length: EACH }, () => KINDS.map((kind) => kind(random))).flat();
  const ids = await storeAll(
    target,
    identified.map(({ content }) => ({ content, timestamp: END.toISOString() })),
  );
  return new Map(identified.map((one, index) => [ids[index] ?? '', one]));
}

/** One line: the share of identifiers whose memory is among the first three results, for both ways of asking. */
export async function identifierLine(target: HttpCaller, identified: ReadonlyMap<string, Identified>): Promise<string> {
  let bare = 0;
  let inSentence = 0;
  for (const [id, { identifier, question }] of identified) {
    if (await isFound(target, identifier, id)) bare += 1;
    if (await isFound(target, question, id)) inSentence += 1;
  }
  const share = (found: number): string => `${((100 * found) / identified.size).toFixed(1)} %`;
  return `identifiers in the first ${FIRST} of ${OTHERS} memories: bare ${share(bare)}, in a sentence ${share(inSentence)}`;
}

const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.below(16).toString(16)).join('');

/** Questions and memories share no words except the identifier. */
const KINDS: readonly ((random: Random) => Identified)[] = [
  (random) => {
    const identifier = `PAY-${4000 + random.below(5000)}`;
    return {
      identifier,
      content: `${identifier} is about refunds that arrive twice; wait for the bank's answer.`,
      question: `what do we know of ${identifier}`,
    };
  },
  (random) => {
    const identifier = hex(random, 8);
    return {
      identifier,
      content: `The regression came in with commit ${identifier}, reverted on Friday.`,
      question: `why was ${identifier} taken back`,
    };
  },
  (random) => {
    const identifier = `src/${hex(random, 3)}/handlers/session_${hex(random, 4)}.ts`;
    return {
      identifier,
      content: `Token refresh lives in ${identifier} and is called from the router.`,
      question: `what happens inside ${identifier} again`,
    };
  },
  (random) => {
    const identifier = `ERR_QUOTA_${hex(random, 4).toUpperCase()}`;
    return {
      identifier,
      content: `${identifier} means the tenant has used up its plan; raise it by hand.`,
      question: `how to get rid of ${identifier}`,
    };
  },
];

async function isFound(target: HttpCaller, query: string, id: string): Promise<boolean> {
  const { status, body } = await target.request(
    'GET',
    `/recall?${new URLSearchParams({ query, limit: String(FIRST) })}`,
  );
  if (status !== 200) throw new Error(`GET /recall answered ${status}: ${JSON.stringify(body)}`);
  return body.results.some((result: { id: string }) => result.id === id);
}

async function storeAll(target: HttpCaller, memories: readonly object[]): Promise<readonly string[]> {
  const { status, body } = await target.request('POST', '/memory/batch', { body: { memories } });
  if (status !== 201) throw new Error(`POST /memory/batch answered ${status}: ${JSON.stringify(body)}`);
  return body.memory_ids;
}
