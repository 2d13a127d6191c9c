/** A disk that is slow or full under the running service. The service recovers without a restart. */
import { expect } from 'chai';
import { differencesOfFolder } from '../support/checks/compare-deployment.js';
import { until } from '../support/checks/until.js';
import { type FaultyDisk, openFaultyDisk, skipWithoutFaultyDisk } from '../support/faults/disk/faulty-disk.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

const SLOW_SYNC_MS = 1_500;
const WRITERS = 8;
const READS = 20;

describe('the service on a faulty disk', function () {
  let folder: TempFolder;
  let disk: FaultyDisk;
  let service: ChildService;
  before(async function () {
    await skipWithoutFaultyDisk(this);
  });
  beforeEach(async () => {
    folder = await createTempFolder();
    disk = await openFaultyDisk(folder.path);
    // A recall waits for fresh writes, which is not the wait for a sync that this test excludes.
    service = await startChildService({
      dataFolder: folder.path,
      variables: { ...disk.variables, RECALL_FRESH_WAIT_MS: '0' },
    });
    expect(await store('before')).to.equal(201);
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await disk?.remove();
    await folder?.remove();
  });

  async function store(name: string): Promise<number> {
    const body = { content: `A note ${name} the fault ${'and its words '.repeat(100)}`, tags: ['disk'] };
    return (await service.request('POST', '/memory', { body })).status;
  }
  async function stored(): Promise<number> {
    return (await service.request('GET', '/memory/by-tag?tags=disk&limit=200')).body.memories.length;
  }
  async function msOf(work: () => Promise<unknown>): Promise<number> {
    const begin = performance.now();
    await work();
    return performance.now() - begin;
  }

  it(`answers reads without waiting for syncs of ${SLOW_SYNC_MS} ms`, async () => {
    await disk.become({ syncMs: SLOW_SYNC_MS });
    const stores = Promise.all(
      Array.from({ length: WRITERS }, (_, index) => msOf(async () => expect(await store(`${index} in`)).to.equal(201))),
    );
    const reads: number[] = [];
    for (let index = 0; index < READS; index += 1) {
      reads.push(
        await msOf(async () => {
          const path = index % 2 === 0 ? '/memory/by-tag?tags=disk' : '/recall?query=note&limit=5';
          expect((await service.request('GET', path)).status).to.equal(200);
        }),
      );
    }
    expect((await service.request('GET', '/health')).body.status).to.equal('healthy');
    const slowest = Math.max(...(await stores));
    process.stdout.write(
      `        slowest read ${Math.round(Math.max(...reads))} ms, slowest of ${WRITERS} concurrent stores ${Math.round(slowest)} ms\n`,
    );
    expect(Math.max(...reads)).to.be.below(SLOW_SYNC_MS);
    expect(slowest, 'stores are acknowledged after a sync').to.be.at.least(SLOW_SYNC_MS);
    expect(slowest, 'concurrent stores share a sync').to.be.below(WRITERS * SLOW_SYNC_MS);
    await disk.become({});
    expect(await store('after')).to.equal(201);
    expect(await stored()).to.equal(WRITERS + 2);
    expect(await differencesOfFolder(folder.path)).to.deep.equal([]);
  });

  it('stores again, without a restart, when a full disk has space', async () => {
    await disk.become({ isFull: true });
    let acknowledged = 1;
    let refused = 0;
    for (let sent = 0; refused < 3 && sent < 500; sent += 1) {
      const status = await store(`${sent} in`);
      if (status === 201) acknowledged += 1;
      else refused += 1;
      expect(status).to.be.oneOf([201, 503]);
    }
    expect(refused).to.equal(3);
    expect(await stored()).to.equal(acknowledged);
    expect((await service.request('GET', '/recall?query=note&limit=5')).status).to.equal(200);
    expect((await service.request('GET', '/livez')).status).to.equal(200);
    await disk.become({});
    await until('a store is accepted', async () => (await store('after')) === 201);
    expect(await stored()).to.equal(acknowledged + 1);
    expect(await differencesOfFolder(folder.path)).to.deep.equal([]);
  });
});
