/** Associations for a filled service: so many for each memory, most of them to few, as hubs have it. */
import type { HttpCaller } from '../support/http-caller.js';
import type { Random } from '../support/random.js';
import { corpusIds } from './corpus-ids.js';
import { timeCalls, timingRow, type Row } from './measure.js';

const BATCH = 500;
/** One in fifty supersedes; the rest lead from one thing to another. */
const TYPES = ['RELATES_TO', 'LEADS_TO', 'PART_OF', 'EXEMPLIFIES', 'REINFORCES'] as const;
const SUPERSEDING_SHARE = 0.02;

/** `each` times as many associations as there are memories. */
export async function associateAll(target: HttpCaller, random: Random, each: number): Promise<Row[]> {
  const ids = await corpusIds(target);
  const wanted = ids.length * each;
  const timing = await timeCalls(Math.ceil(wanted / BATCH), 1, async (batch) => {
    const associations = Array.from({ length: Math.min(BATCH, wanted - batch * BATCH) }, () =>
      association(ids, random),
    );
    const { status, body } = await target.request('POST', '/associate', { body: { associations } });
    // 207 would mean that some of them are missing.
    if (status !== 201) throw new Error(`Associations were answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
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
