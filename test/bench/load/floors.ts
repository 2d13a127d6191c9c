/** Measures the floors: the time of SQLite, the encoder and a vector scan alone. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED_DIMENSION, createBundledEmbedder } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { timeCalls } from '../measuring/timing.js';
import { bareInsert, bareScan } from './bare-procedures.js';

export type Floors = { readonly insertMs: number; readonly encodeMs: number; readonly scanMs: number };

/**
 * Medians in milliseconds: one durable insert of a row of 1 KB, one question encoded, one scan of `size` vectors.
 */
export async function measureFloors(size: number): Promise<Floors> {
  const folder = await createTempFolder();
  const migrations = [{ component: 'bench', steps: ['CREATE TABLE bare (n INTEGER PRIMARY KEY, body TEXT NOT NULL)'] }];
  const host = await createSqliteHost({ file: join(folder.path, 'bare.db'), readers: 1, migrations });
  const embedder = await createBundledEmbedder();
  const random = seededRandom(7);
  try {
    const insert = await timeCalls(300, 1, () => host.write(bareInsert, { body: 'x'.repeat(1_000) }));
    await embedder.embed(['warm up'], { purpose: 'query' });
    const encode = await timeCalls(100, 1, () => embedder.embed([corpusQuestion(random)], { purpose: 'query' }));
    const scans = await host.read(bareScan, { size, dimension: BUNDLED_DIMENSION, times: 30 });
    return { insertMs: insert.p50, encodeMs: encode.p50, scanMs: scans[Math.floor(scans.length / 2)] ?? Number.NaN };
  } finally {
    await embedder.close();
    await host.close();
    await rm(folder.path, { recursive: true, force: true });
  }
}
