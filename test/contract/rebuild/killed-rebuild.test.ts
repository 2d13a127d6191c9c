/**
 * `palimpsest rebuild graph` over the data file of a stopped service, killed in the middle: the next run finishes it.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';
import { EMPTY_SQLITE_GRAPH } from '../../support/adapters/marked-graphs.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { differencesOfFolder } from '../../support/checks/compare-deployment.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Child, startChild } from '../../support/processes/child-process.js';
import { startEmbedded } from '../../support/processes/service.js';

const MEMORIES = 2_000;
const BATCH = 500;
const LINKS = 50;
const DIMENSION = 16;
const POLL_MS = 2;

describe('killed rebuild of the data file', () => {
  const embedder = createWordHashEmbedder(DIMENSION);
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
    await fill();
  });
  afterEach(() => folder.remove());

  /** Memories, some of them changed or deleted, and associations. */
  async function fill(): Promise<void> {
    const service = await startEmbedded({
      dataFolder: folder.path,
      embedder,
      variables: { VECTOR_SIZE: String(DIMENSION) },
    });
    const ids: string[] = [];
    for (let first = 0; first < MEMORIES; first += BATCH) {
      const memories = Array.from({ length: BATCH }, (_, index) => ({
        content: `Memory ${first + index} in the file`,
      }));
      const { status, body } = await service.request('POST', '/memory/batch', { body: { memories } });
      expect(status, JSON.stringify(body)).to.equal(201);
      ids.push(...body.memory_ids);
    }
    const associations = ids.slice(0, LINKS).map((id, index) => ({
      ...{ memory1_id: id, memory2_id: ids[index + LINKS], type: 'RELATES_TO', strength: 0.5 },
    }));
    expect((await service.request('POST', '/associate', { body: { associations } })).status).to.equal(201);
    await service.request('PATCH', `/memory/${ids[0]}`, { body: { content: 'Changed', importance: 0.9 } });
    await service.request('DELETE', `/memory/${ids[1]}`);
    await service.settled();
    await service.close();
  }

  const startRebuild = (): Child =>
    startChild({
      main: 'deploy/commands/main.js',
      arguments: ['rebuild', 'graph'],
      folder: folder.path,
      variables: { PALIMPSEST_DATA_DIR: folder.path },
    });

  function inDatabase<T>(work: (database: ReturnType<typeof openDatabase>) => T): T {
    const database = openDatabase(join(folder.path, 'palimpsest.db'), { busyTimeoutMs: 5_000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
  const countMemories = (): number =>
    inDatabase((database) => Number(database.get('SELECT COUNT(*) AS n FROM memories WHERE present = 1')?.['n']));

  it('is finished by the next run', async () => {
    expect(countMemories()).to.equal(MEMORIES - 1);
    inDatabase((database) => database.exec(EMPTY_SQLITE_GRAPH));
    const killed = startRebuild();
    while (killed.isRunning() && countMemories() === 0) await sleep(POLL_MS);
    expect(await killed.stop('SIGKILL'), killed.output()).to.equal('SIGKILL');
    const left = countMemories();
    process.stdout.write(`        killed with ${left} of ${MEMORIES - 1} memories in the graph\n`);
    expect(left).to.be.within(1, MEMORIES - 2);

    const next = startRebuild();
    expect(await next.ended, next.output()).to.equal(0);
    expect(countMemories()).to.equal(MEMORIES - 1);
    expect(await differencesOfFolder(folder.path, { model: embedder.model })).to.deep.equal([]);
  });
});
