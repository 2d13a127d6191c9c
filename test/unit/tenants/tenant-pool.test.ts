/** Which services of tenants are open: when they open and close, and which of them makes room for another. */
import { expect } from 'chai';
import { DeadlineError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { NO_LIMITS, type Tenant } from '../../../shared/ports/tenants.js';
import { createTenantPool, type PoolLimits, type TenantPool } from '../../../shared/tenants/tenant-pool.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';

type FakeService = {
  readonly name: string;
  readonly isQuiet: () => Promise<boolean>;
  readonly usage: () => Promise<{ readonly memories: number; readonly bytes: number }>;
  readonly close: () => Promise<void>;
};
type ClosedTenant = { readonly name: string; readonly isSettled: boolean; readonly memories: number | null };

const NEVER_MS = 1_000_000;
const SOON_MS = 5;

describe('pool of tenants', () => {
  let pool: TenantPool<FakeService>;
  let listed: Tenant[];
  let opened: string[];
  let closed: ClosedTenant[];
  let busy: Set<string>;
  let open: (tenant: Tenant) => Promise<void>;
  let count: () => Promise<{ memories: number; bytes: number }>;
  let closeService: () => Promise<void>;

  function start(limits: Partial<PoolLimits> = {}): TenantPool<FakeService> {
    pool = createTenantPool<FakeService>({
      list: () => listed,
      open: async (tenant) => {
        await open(tenant);
        opened.push(tenant.name);
        return {
          name: tenant.name,
          isQuiet: () => Promise.resolve(!busy.has(tenant.name)),
          usage: () => count(),
          close: () => closeService(),
        };
      },
      onOpened: () => Promise.resolve(),
      onClosed: ({ name }, { isSettled, usage }) => {
        closed.push({ name, isSettled, memories: usage?.memories ?? null });
        return Promise.resolve();
      },
      isVisitDueAtStart: ({ isSettled }) => !isSettled,
      limits: { openLimit: 10, idleMs: NEVER_MS, visitEveryMs: NEVER_MS, ...limits },
      logger: silentLogger,
    });
    return pool;
  }

  beforeEach(() => {
    [listed, opened, closed, busy] = [[], [], [], new Set()];
    open = () => Promise.resolve();
    count = () => Promise.resolve({ memories: 3, bytes: 100 });
    closeService = () => Promise.resolve();
  });
  afterEach(() => pool.close());

  /** Opens the service and releases it. */
  const use = async (name: string) => (await pool.lease(tenant(name))).release();
  const closedNames = () => closed.map(({ name }) => name);

  it('opens a service at its first use, and keeps it open for the next', async () => {
    start();
    expect(pool.opened('one')).to.equal(null);
    await use('one');
    await use('one');
    expect(opened).to.deep.equal(['one']);
    expect(pool.opened('one')).to.include({ name: 'one' });
  });

  it('opens a service once for two requests at the same time', async () => {
    start();
    const leases = await Promise.all([pool.lease(tenant('one')), pool.lease(tenant('one'))]);
    expect(opened).to.deep.equal(['one']);
    expect(leases[0].service).to.equal(leases[1].service);
    for (const { release } of leases) release();
  });

  it('closes a service that had no request for the idle time, with its counts', async () => {
    start({ idleMs: SOON_MS });
    await use('one');
    await until('the service to close', () => pool.opened('one') === null);
    expect(closed).to.deep.equal([{ name: 'one', isSettled: true, memories: 3 }]);
  });

  it('keeps a service open while its work is not done', async () => {
    start({ idleMs: SOON_MS });
    busy.add('busy');
    await use('busy');
    await use('quiet');
    await until('the quiet one to close', () => closed.length > 0);
    await use('quiet');
    await until('it to close again', () => closed.length > 1);
    expect(closedNames()).to.deep.equal(['quiet', 'quiet']);
    busy.clear();
    await until('the other one to close', () => closedNames().includes('busy'));
  });

  it('keeps a service open while a request uses it', async () => {
    start({ idleMs: SOON_MS });
    const { release } = await pool.lease(tenant('used'));
    await use('used');
    await use('unused');
    await until('the unused one to close', () => closed.length > 0);
    expect(closedNames()).to.deep.equal(['unused']);
    release();
    release();
    await until('the other one to close', () => closed.length > 1);
  });

  it('closes the least recently used service for another', async () => {
    start({ openLimit: 2 });
    for (const name of ['one', 'two', 'one']) await use(name);
    busy.add('two');
    await use('three');
    expect(closed).to.deep.equal([{ name: 'two', isSettled: false, memories: 3 }]);
    expect(['one', 'two', 'three'].filter((name) => pool.opened(name) !== null)).to.deep.equal(['one', 'three']);
  });

  it('refuses another service with DeadlineError while all are in use', async () => {
    start({ openLimit: 1 });
    const { release } = await pool.lease(tenant('one'));
    const error = await rejection(pool.lease(tenant('two')));
    expect(error).to.be.instanceOf(DeadlineError);
    expect(error.message).to.include('1 tenants are in use').and.include('raise TENANTS_OPEN_LIMIT');
    release();
    await use('two');
    expect(closedNames()).to.deep.equal(['one']);
  });

  it('opens no more than its limit for requests at the same time', async () => {
    start({ openLimit: 2 });
    const results = await Promise.allSettled(['one', 'two', 'three', 'four'].map((name) => pool.lease(tenant(name))));
    expect(results.map(({ status }) => status).sort()).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(opened).to.have.length(2);
  });

  it('tries again at the next request after an opening that failed', async () => {
    start();
    open = () => Promise.reject(new Error('the disk is full'));
    const failures = await Promise.all([use('one'), use('one')].map((call) => rejection(call)));
    expect(failures.map(({ message }) => message)).to.deep.equal(['the disk is full', 'the disk is full']);
    expect(pool.opened('one')).to.equal(null);
    open = () => Promise.resolve();
    await use('one');
    expect(opened).to.deep.equal(['one']);
  });

  it('opens a service again for a request that arrives while it closes', async () => {
    start({ idleMs: SOON_MS });
    const finishes: (() => void)[] = [];
    closeService = () => new Promise((resolve) => finishes.push(resolve));
    await use('one');
    await until('the closing to begin', () => finishes.length > 0);
    closeService = () => Promise.resolve();
    const again = use('one');
    finishes[0]?.();
    await again;
    expect([opened, closedNames()]).to.deep.equal([['one', 'one'], ['one']]);
  });

  it('waits for the requests of a tenant before it ends its service', async () => {
    start();
    const { release } = await pool.lease(tenant('one'));
    let isEnded = false;
    const ending = pool.end('one').then(() => (isEnded = true));
    await use('two');
    expect([isEnded, closed.length]).to.deep.equal([false, 0]);
    release();
    await ending;
    expect(closedNames()).to.deep.equal(['one']);
  });

  it('closes a service whose counts and work cannot be read', async () => {
    start();
    await use('one');
    count = () => Promise.reject(new Error('a file is gone'));
    let isClosed = false;
    closeService = () => {
      isClosed = true;
      return Promise.resolve();
    };
    await pool.close();
    expect(isClosed).to.equal(true);
    expect(closed).to.deep.equal([{ name: 'one', isSettled: true, memories: null }]);
  });

  it('visits tenants that a killed process left unsettled, but no suspended one', async () => {
    listed = [tenant('settled'), tenant('killed', { isSettled: false })];
    listed.push(tenant('suspended', { isSettled: false, state: 'suspended' }));
    start();
    await until('the visit', () => opened.length > 0);
    await use('another');
    expect(opened).to.deep.equal(['killed', 'another']);
  });

  it('visits settled tenants after the interval, again and again', async () => {
    listed = [tenant('one')];
    start({ visitEveryMs: SOON_MS, idleMs: SOON_MS });
    await until('two visits', () => opened.length >= 2);
  });

  it('visits a tenant again that closed for another with unfinished work', async () => {
    listed = [tenant('one')];
    start({ openLimit: 1, visitEveryMs: SOON_MS, idleMs: SOON_MS });
    busy.add('one');
    await use('one');
    await use('two');
    await until('the visit', () => opened.filter((name) => name === 'one').length > 1);
    busy.clear();
  });

  it('visits others after one that cannot be opened', async () => {
    listed = [tenant('broken', { isSettled: false }), tenant('whole', { isSettled: false })];
    open = ({ name }) => (name === 'broken' ? Promise.reject(new Error('no file')) : Promise.resolve());
    start();
    await until('the visit of the other', () => opened.includes('whole'));
  });

  it('leaves half of its places to requests', async () => {
    listed = ['one', 'two', 'three'].map((name) => tenant(name, { isSettled: false }));
    start({ openLimit: 4 });
    await until('two visits', () => opened.length === 2);
    await use('another');
    expect(opened).to.deep.equal(['one', 'two', 'another']);
  });

  it('closes all services when it closes, and opens no other', async () => {
    start();
    for (const name of ['one', 'two']) await use(name);
    await pool.close();
    expect(closedNames().sort()).to.deep.equal(['one', 'two']);
    expect((await rejection(pool.lease(tenant('three')))).message).to.equal('The service is stopping');
  });
});

/** Its name is its id. */
function tenant(name: string, overrides: Partial<Tenant> = {}): Tenant {
  const at = '2026-06-01T08:30:00.000000+00:00';
  return {
    id: name,
    name,
    state: 'active',
    reason: null,
    limits: NO_LIMITS,
    usage: { memories: 0, bytes: 0, at: null },
    isSettled: true,
    createdAt: at,
    updatedAt: at,
    ...overrides,
  };
}
