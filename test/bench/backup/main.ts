/**
 * `npm run bench:backup`: measures backup, restore, comparison and repair of the vector index, and the recalls of one
 * client during the backup. A running service (`--url`, `--admin-token`) needs `--qdrant
 * http://HOST:PORT/collections/NAME` for the repair, and is not restored.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { saveBackup } from '../../../deploy/commands/backup/save-backup.js';
import { openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';
import { numberedId } from '../../support/fixtures/events.js';
import { startChild } from '../../support/processes/child-process.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { importMemories, untilVectors } from '../corpus/fill.js';
import { runBench, type Target, withTarget } from '../measuring/run-bench.js';
import { inSeconds, type Row, timeCalls, timeDuring, timingRow } from '../measuring/timing.js';

const VARIABLES = { PROJECTORS: 'vector-indexer,access-recorder' };
const { signal } = new AbortController();

await runBench({
  defaults: { memories: '50000', recalls: '200', qdrant: '' },
  variables: VARIABLES,
  measure: async (target, { memories, recalls, qdrant }, random) => {
    const size = Number(memories);
    const file = join(target.folder, 'backup.tar.gz');
    const recall = () => target.call('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`);
    await importMemories(target, random, { size });
    await timeCalls(20, 1, recall); // the first recalls plan and fill caches
    const quiet = timingRow('recall before, 1 client', await timeCalls(Number(recalls), 1, recall));
    const { adminToken = '', url } = target;
    const backup = await timeDuring(() => saveBackup({ file, url, adminToken, history: false, signal }), 1, recall);
    const megabytes = (await stat(file)).size / 1_048_576;
    const rows = [
      quiet,
      rateRow(`backup, ${megabytes.toFixed(0)} MB`, size, backup.seconds),
      timingRow('recall during the backup, 1 client', backup.timing),
      await compare(target, size),
    ];
    if (target.child !== null) return [...rows, ...(await measureRestore(file, size))];
    if (qdrant === '') return rows;
    await removePoints(qdrant, size);
    return [...rows, await repair(target, size)];
  },
});

async function compare({ call }: Target, size: number): Promise<Row> {
  const { result, seconds } = await inSeconds(() => call('POST', '/admin/sync', { dry_run: true }));
  const { missing_count: missing, stale_count: stale, orphaned_count: orphaned } = result.body;
  if (missing + stale + orphaned > 0) throw new Error(`The comparison found: ${JSON.stringify(result.body)}`);
  return rateRow('comparison of graph and index (`dry_run`)', size, seconds);
}

async function repair({ call }: Target, size: number): Promise<Row> {
  const { result, seconds } = await inSeconds(() => call('POST', '/admin/sync', { batch_size: 100 }));
  const { synced, failed } = result.body;
  if (synced !== removedIds(size).length) throw new Error(`${synced} points were repaired, ${failed} failed`);
  return { what: `comparison and repair of ${synced} missing points`, figure: `${seconds.toFixed(1)} s` };
}

async function measureRestore(file: string, size: number): Promise<readonly Row[]> {
  const folder = join(file, '..', 'restored');
  const restore = await inSeconds(async () => {
    const variables = { PALIMPSEST_DATA_DIR: folder };
    const main = 'deploy/commands/main.js';
    const child = startChild({ main, arguments: ['restore', file], folder: join(file, '..'), variables });
    if ((await child.ended) !== 0) throw new Error(child.output());
  });
  const filled = await inSeconds(() =>
    withTarget({ folder, variables: VARIABLES }, (restored) => untilVectors(restored, size)),
  );
  const database = openDatabase(join(folder, 'palimpsest.db'), { busyTimeoutMs: 0 });
  for (const id of removedIds(size)) database.run('DELETE FROM points WHERE id = ?', [id]);
  database.close();
  return [
    rateRow('restore', size, restore.seconds),
    rateRow('index filled after the start', size, filled.seconds),
    await withTarget({ folder, variables: VARIABLES }, (restored) => repair(restored, size)),
  ];
}

async function removePoints(collection: string, size: number): Promise<void> {
  const reply = await fetch(`${collection}/points/delete?wait=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ points: removedIds(size) }),
  });
  if (!reply.ok) throw new Error(`Qdrant answered ${reply.status}: ${await reply.text()}`);
}

/** The memories whose points are removed before the repair. */
function removedIds(size: number): readonly string[] {
  return Array.from({ length: Math.ceil(size / 10) }, (_, index) => numberedId(index));
}

function rateRow(what: string, size: number, seconds: number): Row {
  return { what, figure: `${seconds.toFixed(1)} s (${Math.round(size / seconds)} memories/s)` };
}
