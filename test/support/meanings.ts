/** Memories that each mean something of their own, stored, and after a disaster looked for by what they mean. */
import { expect } from 'chai';
import type { HttpCaller } from './http-caller.js';
import { until } from './until.js';

export type Meaning = { readonly id: string; readonly content: string };

const WHO = [
  'The gardener',
  'A violinist',
  'The harbour pilot',
  'My dentist',
  'The chess club',
  'A beekeeper',
  'The night nurse',
  'Our landlord',
  'The tax office',
  'A marathon runner',
];
const DOES = ['repairs', 'photographs', 'complains about', 'inherited', 'auctions'];
const WHAT = [
  'an old lighthouse',
  'frozen pipes',
  'the opera tickets',
  'a stamp collection',
  'three rescue dogs',
  'the solar panels',
];
/** As many as there can be. */
export const MEANINGS = WHO.length * DOES.length * WHAT.length;
/** What is promised of the start after a kill; a machine with much else to do may be given more. */
export const CAUGHT_UP_MS = Number(process.env['PALIMPSEST_CAUGHT_UP_MS'] ?? 60_000);
const AT_ONCE = 10;
const PAGE = 200;

/** All of them, each acknowledged. */
export function storeMeanings(service: HttpCaller, tag: string): Promise<readonly Meaning[]> {
  return manyAtOnce(
    Array.from({ length: MEANINGS }, (_, number) => meaning(number)),
    async (content) => {
      const { status, body } = await service.request('POST', '/memory', { body: { content, tags: [tag] } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return { id: body.memory_id as string, content };
    },
  );
}

/** Every one is enriched, and recalled by its content with its vector for evidence, within the deadline for all. */
export async function meaningsAreFound(
  service: HttpCaller,
  meanings: readonly Meaning[],
  { tag, deadlineMs }: { readonly tag: string; readonly deadlineMs: number },
): Promise<void> {
  const begin = performance.now();
  // First and by listing, because recalls take from the encoder that the indexer needs.
  await none('not enriched', deadlineMs, async () => {
    const enriched = await enrichedOf(service, tag);
    return meanings.filter(({ id }) => !enriched.has(id));
  });
  let missing = meanings;
  await none('not recalled by their own meaning', deadlineMs - (performance.now() - begin), async () => {
    const recalled = await manyAtOnce(missing, (one) => isRecalled(service, one));
    return (missing = missing.filter((_, index) => !recalled[index]));
  });
}

async function none(what: string, deadlineMs: number, find: () => Promise<readonly Meaning[]>): Promise<void> {
  let found: readonly Meaning[] = [];
  await until(`no memory is ${what}`, async () => (found = await find()).length === 0, deadlineMs).catch(
    (cause: unknown) => {
      throw new Error(
        `${found.length} memories are ${what} after ${Math.round(deadlineMs)} ms, such as ${found[0]?.id}, ${found[0]?.content}`,
        { cause },
      );
    },
  );
}

async function enrichedOf(service: HttpCaller, tag: string): Promise<ReadonlySet<string>> {
  const enriched = new Set<string>();
  for (let offset = 0, more = true; more; offset += PAGE) {
    const { status, body } = await service.request('GET', `/memory/by-tag?tags=${tag}&limit=${PAGE}&offset=${offset}`);
    if (status !== 200) return enriched;
    for (const memory of body.memories) if (memory.enriched === true) enriched.add(memory.id);
    more = body.has_more;
  }
  return enriched;
}

async function isRecalled(service: HttpCaller, { id, content }: Meaning): Promise<boolean> {
  const { status, body } = await service.request('GET', `/recall?query=${encodeURIComponent(content)}&limit=3`);
  const found = status === 200 && body.results.find((result: { readonly id: string }) => result.id === id);
  return Boolean(found) && found.score_components.vector > 0.99;
}

function meaning(number: number): string {
  const who = WHO[number % WHO.length];
  const rest = Math.floor(number / WHO.length);
  return `${who} ${DOES[rest % DOES.length]} ${WHAT[Math.floor(rest / DOES.length) % WHAT.length]}`;
}

async function manyAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  return results;
}
