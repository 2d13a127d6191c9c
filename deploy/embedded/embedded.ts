/**
 * The embedded composition: the whole service in one process over one folder. The default tenant is open while the
 * process runs; the others are opened when they are used.
 */
import { statfs } from 'node:fs/promises';
import { shareEmbedders } from '../../shared/engines/models/share-embedders.js';
import { createSharedThreads } from '../../shared/engines/sqlite/threads/shared-threads.js';
import type { EdgeApp } from '../../shared/http/app.js';
import { createOpenRequests } from '../../shared/http/request/open-requests.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import type { GaugeValue } from '../../shared/kernel/metrics/metrics.js';
import type { PoolLimits } from '../../shared/tenants/tenant-pool.js';
import { composeApp } from './compose-app.js';
import { openService, type OpenServiceOptions } from './open-service.js';
import { type EmbeddedTenants, openTenants } from './open-tenants.js';

export type Embedded = {
  readonly app: EdgeApp;
  /** Resolves when every event in the stream is projected, and every event that the projectors wrote meanwhile. */
  readonly settled: () => Promise<void>;
  /** Resolves when the first caller waits neither for the encoder nor for the word index. */
  readonly warmUp: () => Promise<void>;
  /** Closes the tenants, then the default one. */
  readonly close: () => Promise<void>;
};

export type EmbeddedOptions = Omit<
  OpenServiceOptions,
  'tenant' | 'openRequests' | 'administration' | 'shareEmbedder'
> & {
  /** Replaces those of the configuration, for tests. */
  readonly tenantLimits?: Partial<PoolLimits>;
};

/**
 * Threads of the databases of tenants. A tenant has one connection that writes and three that read: the first two
 * tenants share none.
 */
const TENANTS_THREADS = { writers: 3, readers: 6 };

export async function createEmbedded({ tenantLimits = {}, ...options }: EmbeddedOptions): Promise<Embedded> {
  const { config, metrics } = options;
  const resources = createResources();
  const threads = resources.add(createSharedThreads(TENANTS_THREADS, options.logger), (shared) => shared.close());
  const common = { ...options, openRequests: createOpenRequests(), shareEmbedder: shareEmbedders() };
  try {
    let tenants: EmbeddedTenants | undefined;
    const service = await openService({
      ...common,
      tenant: null,
      administration: (engines) => {
        tenants = openTenants({ ...common, threads, records: engines.tenants, limits: tenantLimits });
        return tenants.administration;
      },
    });
    resources.add(service, (opened) => opened.close());
    if (tenants === undefined) throw new Error('The service was opened without its tenants');
    resources.add(tenants.services, (opened) => opened.close());
    await tenants.administration.finishDeletions(0);
    await tenants.services.directory.refresh();
    await tenants.reportUnknownFolders();
    if (metrics !== undefined)
      resources.add(
        metrics.report(() => readDisk(config.dataFolder)),
        (end) => end(),
      );
    const app = await composeApp({ ...common, service, tenancy: tenants.services });
    return { app, settled: service.settled, warmUp: service.warmUp, close: () => resources.close() };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

/** The size and the free bytes of the file system with the data. */
async function readDisk(folder: string): Promise<readonly GaugeValue[]> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return [
    { name: 'palimpsest_disk_free_bytes', value: bavail * bsize },
    { name: 'palimpsest_disk_size_bytes', value: blocks * bsize },
  ];
}
