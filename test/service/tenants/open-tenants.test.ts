/** Tenants of a service that opens and closes them, ends, is killed, and finds their data again. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DATA_FILE } from '../../../shared/engines/sqlite/open.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { SQLITE_SCHEMA } from '../../../shared/engines/sqlite/schema/schema.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { openSharedEmbedder } from '../../support/adapters/shared-embedder.js';
import { serveInThread } from '../../support/adapters/sqlite-in-thread.js';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/clients/webhook-receiver.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';
import { type Service, type ServiceOptions, startEmbedded } from '../../support/processes/service.js';
import { as, type TenantCalls, tenantCalls, TOKENS } from './tenant-fixtures.js';

const IDLE_MS = 20;
/** Closed connections show in the folder only with these. */
const REAL_THREADS = { startWorker: undefined };

type StartOptions = ServiceOptions & { readonly startWorker?: undefined };

describe('open tenants', () => {
  let folder: TempFolder;
  let service: Service;
  let calls: TenantCalls;
  let receiver: WebhookReceiver | undefined;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(async () => {
    await service.close();
    await receiver?.close();
    receiver = undefined;
    await folder.remove();
  });

  async function start({ variables = {}, ...options }: StartOptions = {}): Promise<void> {
    service = await startEmbedded({
      dataFolder: folder.path,
      embedder: await openSharedEmbedder(),
      startWorker: serveInThread,
      variables: { ...TOKENS, ...variables },
      ...options,
    });
    calls = tenantCalls(service);
  }
  /** What a deletion writes before it removes files. */
  async function beginDeletion(id: string): Promise<void> {
    const host = await createSqliteHost({
      file: join(folder.path, DATA_FILE),
      readers: 1,
      migrations: SQLITE_SCHEMA,
      onThreadEnd: () => undefined,
      startWorker: serveInThread,
    });
    await sqliteRecords(host).tenants.update(id, { state: 'deleting', reason: null });
    await host.close();
  }
  const folderOf = (id: string) => join(folder.path, 'tenants', id);
  /** SQLite removes its log when the last connection closes. */
  const isOpen = (id: string) => existsSync(join(folderOf(id), 'palimpsest.db-wal'));
  const closes = (id: string) => until('the tenant to close', () => !isOpen(id));

  it('open at their first request, close when they are idle, and open again', async () => {
    await start({ ...REAL_THREADS, tenantLimits: { idleMs: IDLE_MS } });
    const id = await calls.make('blue');
    expect(isOpen(id)).to.equal(false);
    const secret = await calls.keyOf(id);
    await calls.store(secret, 'The lantern hangs');
    await closes(id);
    await until('the counts of the closing', async () => (await calls.list())[0]?.memories === 1);
    expect(await calls.contents(secret)).to.deep.equal(['The lantern hangs']);
  });

  it('serve all at the same time over the threads that they share', async () => {
    await start(REAL_THREADS);
    const names = Array.from({ length: 8 }, (_, number) => `tenant-${number}`);
    const keys: string[] = [];
    for (const name of names) keys.push(await calls.keyOf(await calls.make(name)));
    await Promise.all(
      keys.flatMap((key, number) => [calls.store(key, `One of ${number}`), calls.store(key, `Two of ${number}`)]),
    );
    const contents = await Promise.all(keys.map((key) => calls.contents(key)));
    contents.forEach((found, number) => expect(found).to.have.members([`One of ${number}`, `Two of ${number}`]));
  });

  it('stay open for a stream, and for a webhook that may have a delivery', async () => {
    await start({
      ...REAL_THREADS,
      tenantLimits: { idleMs: IDLE_MS },
      variables: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PROJECTORS: 'vector-indexer,webhook-sender' },
    });
    const [blue, amber, green] = [await calls.make('blue'), await calls.make('amber'), await calls.make('green')];
    const [blueKey, amberKey] = [await calls.keyOf(blue), await calls.keyOf(amber)];
    receiver = await startWebhookReceiver();
    const { body } = await calls.send('POST', '/admin/webhooks', { url: receiver.url }, as(blueKey));
    const stream = await watch(service.url, { headers: as(amberKey) });
    for (let round = 0; round < 3; round += 1) {
      await calls.keyOf(green, { name: `round-${round}` });
      await closes(green);
    }
    expect([isOpen(blue), isOpen(amber)]).to.deep.equal([true, true]);
    await calls.send('DELETE', `/admin/webhooks/${body.webhook.id}`, undefined, as(blueKey));
    await stream.close();
    await Promise.all([closes(blue), closes(amber)]);
  });

  it('answer 503 with Retry-After when all places are in use', async () => {
    await start({ tenantLimits: { openLimit: 1 } });
    const [blueKey, amberKey] = [
      await calls.keyOf(await calls.make('blue')),
      await calls.keyOf(await calls.make('amber')),
    ];
    await calls.store(amberKey, 'The lantern hangs');
    const stream = await watch(service.url, { headers: as(blueKey) });
    const refused = await calls.send('GET', '/memories', undefined, as(amberKey));
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.body.error).to.include('raise TENANTS_OPEN_LIMIT');
    await stream.close();
    const contents = await until('the place to be free', () => calls.contents(amberKey).catch(() => null));
    expect(contents).to.deep.equal(['The lantern hangs']);
  });

  it('have their keys and memories after a restart', async () => {
    await start();
    const blue = await calls.make('blue');
    const secret = await calls.keyOf(blue);
    await calls.store(secret, 'The lantern hangs');
    await calls.send('PATCH', `/admin/tenants/${await calls.make('amber')}`, { suspended: true, reason: 'Unpaid' });
    await service.close();
    await start();
    expect((await calls.list()).map(({ name, reason }) => [name, reason])).to.deep.equal([
      ['blue', null],
      ['amber', 'Unpaid'],
    ]);
    expect((await calls.list())[0]).to.include({ memories: 1 });
    expect(await calls.contents(secret)).to.deep.equal(['The lantern hangs']);
  });

  it('answer 503 that says what to restore when their data file is missing', async () => {
    await start();
    const blue = await calls.make('blue');
    const [secret, amberKey] = [await calls.keyOf(blue), await calls.keyOf(await calls.make('amber'))];
    await calls.store(secret, 'The lantern hangs');
    await service.close();
    await rename(folderOf(blue), join(folder.path, 'elsewhere'));
    await start();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await calls.send('GET', '/memories', undefined, as(secret));
      expect(refused.status).to.equal(503);
      expect(refused.body.error).to.equal(
        `The data of the tenant 'blue' is missing: restore tenants/${blue} in the data folder`,
      );
    }
    expect(existsSync(folderOf(blue))).to.equal(false);
    expect(await calls.contents(amberKey)).to.deep.equal([]);
    await rename(join(folder.path, 'elsewhere'), folderOf(blue));
    expect(await calls.contents(secret)).to.deep.equal(['The lantern hangs']);
  });

  it('finish at the next start a deletion that a crash interrupted', async () => {
    await start();
    const [blue, amber] = [await calls.make('blue'), await calls.make('amber')];
    const [secret, amberKey] = [await calls.keyOf(blue), await calls.keyOf(amber)];
    await calls.store(secret, 'The lantern is blue');
    await calls.store(amberKey, 'The lantern is amber');
    await service.close();
    await beginDeletion(blue);
    await start();
    expect((await calls.list()).map(({ name }) => name)).to.deep.equal(['amber']);
    expect(await readdir(join(folder.path, 'tenants'))).to.deep.equal([amber]);
    expect((await calls.send('GET', '/memories', undefined, as(secret))).status).to.equal(401);
    expect(await calls.contents(amberKey)).to.deep.equal(['The lantern is amber']);
  });

  it('remove the folder of a deleted tenant alone', async () => {
    await start();
    const [blue, amber] = [await calls.make('blue'), await calls.make('amber')];
    await calls.store(await calls.keyOf(blue), 'The lantern hangs');
    expect((await readdir(join(folder.path, 'tenants'))).sort()).to.deep.equal([blue, amber].sort());
    await calls.send('DELETE', `/admin/tenants/${blue}`);
    expect(await readdir(join(folder.path, 'tenants'))).to.deep.equal([amber]);
  });

  it('leave a folder that is in no list as it is, and serve it to no key', async () => {
    await start();
    const blue = await calls.make('blue');
    await calls.store(await calls.keyOf(blue), 'The lantern hangs');
    await service.close();
    const orphan = randomUUID();
    await mkdir(folderOf(orphan));
    await copyFile(join(folderOf(blue), 'palimpsest.db'), join(folderOf(orphan), 'palimpsest.db'));
    await start();
    expect(
      (await calls.send('POST', `/admin/tenants/${orphan}/keys`, { name: 'a', scopes: ['memories:read'] })).status,
    ).to.equal(404);
    expect(await readdir(folderOf(orphan))).to.deep.equal(['palimpsest.db']);
    expect(await calls.list()).to.have.length(1);
  });

  it('leave nothing of a tenant that could not be made', async () => {
    let isFailing = false;
    await start({
      alter: (engines) => {
        if (isFailing) throw new DependencyError('journal', 'The disk is full');
        return engines;
      },
    });
    isFailing = true;
    expect((await calls.send('POST', '/admin/tenants', { name: 'blue' })).status).to.equal(503);
    expect([await calls.list(), await readdir(join(folder.path, 'tenants'))]).to.deep.equal([[], []]);
    isFailing = false;
    await calls.make('blue');
  });

  it('are visited after the interval, so that their scheduled work runs', async () => {
    await start({ ...REAL_THREADS, tenantLimits: { idleMs: IDLE_MS, visitEveryMs: 50 } });
    const id = await calls.make('blue');
    await until('the visit', () => isOpen(id));
    await closes(id);
    await until('another visit', () => isOpen(id));
  });
});

describe('tenants of a killed process', () => {
  let folder: TempFolder;
  let child: ChildService;
  before(async () => {
    folder = await createTempFolder();
    child = await startChildService({ dataFolder: folder.path, variables: TOKENS });
  });
  after(async () => {
    await child.stop('SIGTERM');
    await folder.remove();
  });

  it('are opened at the next start without a request', async () => {
    const calls = tenantCalls(child);
    const [blue, amber] = [await calls.make('blue'), await calls.make('amber')];
    const secret = await calls.keyOf(blue);
    for (const content of ['One lantern', 'Another lantern']) await calls.store(secret, content);
    await child.stop('SIGKILL');
    child = await startChildService({ dataFolder: folder.path, variables: TOKENS });
    const isLocked = (id: string) => existsSync(join(folder.path, 'tenants', id, 'palimpsest.db-wal'));
    const counted = async () => {
      const tenants = await tenantCalls(child).list();
      return tenants.find(({ name }) => name === 'blue')?.memories === 2;
    };
    await until('the visit of the tenant that was open', counted);
    expect(isLocked(amber)).to.equal(false);
    expect(await tenantCalls(child).contents(secret)).to.have.members(['One lantern', 'Another lantern']);
  });
});
