/** Fills a service with N memories of the corpus through the HTTP API. */
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';
import { corpusMemory } from './corpus.js';

const BATCH = 500;
const DIMENSION = 512;

/** Stores `encoded` memories in batches, which the service embeds, and the rest one by one with random vectors. Waits until all are indexed. */
export async function fill(
  target: HttpCaller,
  random: Random,
  { size, ...wanted }: { readonly size: number; readonly encoded: number },
): Promise<Row[]> {
  const now = new Date();
  const encoded = Math.min(size, wanted.encoded);
  const rows: Row[] = [];
  const batches = await timeCalls(encoded / BATCH, 1, async (batch) => {
    const memories = Array.from({ length: BATCH }, (_, index) => corpusMemory(random, batch * BATCH + index, now));
    expectCreated(await target.request('POST', '/memory/batch', { body: { memories } }));
  });
  if (encoded > 0)
    rows.push(
      timingRow(`batches of ${BATCH}, vectors awaited (${(batches.perSecond * BATCH).toFixed(0)} memories/s)`, batches),
    );
  if (size > encoded) {
    const singles = await timeCalls(size - encoded, 32, async (index) => {
      const body = { ...corpusMemory(random, encoded + index, now), embedding: unitVector(random) };
      expectCreated(await target.request('POST', '/memory', { body }));
    });
    rows.push(timingRow('single stores with a supplied vector, vector awaited, 32 clients', singles));
  }
  await until(
    'all memories are indexed',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    3_600_000,
  );
  return rows;
}

function expectCreated({ status, body }: { status: number; body: unknown }): void {
  if (status !== 201) throw new Error(`The store request answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
}

/** A random unit vector with four digits a number: a body of about 3 KB. */
function unitVector(random: Random): number[] {
  const raw = Array.from({ length: DIMENSION }, () => random.next() - 0.5);
  const length = Math.hypot(...raw);
  return raw.map((value) => Number((value / length).toFixed(4)));
}
