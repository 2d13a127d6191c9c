/** Writes associations in a filled service. Most of them connect memories that are close in the list, a few are far apart. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { PEOPLE } from '../corpus/corpus.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';

const BATCH = 500;
/** One association in fifty supersedes; the others have one of these types. */
const TYPES = ['RELATES_TO', 'LEADS_TO', 'PART_OF', 'EXEMPLIFIES', 'REINFORCES'] as const;
const SUPERSEDING_SHARE = 0.02;

/** Writes `each` associations for each memory. */
export async function associateAll(target: HttpCaller, random: Random, each: number): Promise<Row[]> {
  const ids = await corpusIds(target);
  const wanted = ids.length * each;
  const timing = await timeCalls(Math.ceil(wanted / BATCH), 1, async (batch) => {
    const associations = Array.from({ length: Math.min(BATCH, wanted - batch * BATCH) }, () =>
      association(ids, random),
    );
    const { status, body } = await target.request('POST', '/associate', { body: { associations } });
    // 207 would mean that some of them failed.
    if (status !== 201) throw new Error(`POST /associate answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  });
  return [timingRow(`${wanted} associations, in batches of ${BATCH}`, timing)];
}

function association(ids: readonly string[], random: Random): Readonly<Record<string, unknown>> {
  const from = random.below(ids.length);
  const step = 1 + Math.floor((ids.length - 1) * random.next() ** 3);
  const type = random.next() < SUPERSEDING_SHARE ? 'EVOLVED_INTO' : random.pick(TYPES);
  return {
    memory1_id: ids[from],
    memory2_id: ids[(from + step) % ids.length],
    type,
    strength: 0.3 + 0.7 * random.next(),
  };
}

const PAGE = 200;

/** The ids of all memories of the corpus: each has the tag of one person. */
async function corpusIds(target: HttpCaller): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const person of PEOPLE) {
    for (let offset = 0, more = true; more; offset += PAGE) {
      const { status, body } = await target.request(
        'GET',
        `/memory/by-tag?tags=person:${person.toLowerCase()}&limit=${PAGE}&offset=${offset}`,
      );
      if (status !== 200) throw new Error(`GET /memory/by-tag answered ${status}: ${JSON.stringify(body)}`);
      ids.push(...(body.memories as { id: string }[]).map(({ id }) => id));
      more = body.has_more;
    }
  }
  return ids;
}
