/** The tenants of the embedded composition: one folder and one service each, opened while they are used. */
import { statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTenantAdministration } from '../../command-api/tenant-administration.js';
import { DATA_FILE } from '../../shared/engines/sqlite/open.js';
import type { SharedThreads } from '../../shared/engines/sqlite/threads/shared-threads.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import type { Tenant, Tenants as TenantRecords, TenantUsage } from '../../shared/ports/tenants.js';
import { openTenantAccess } from '../../shared/tenants/tenant-access.js';
import { tenantFolder } from '../../shared/tenants/tenant-environment.js';
import { POOL_LIMITS, type PoolLimits } from '../../shared/tenants/tenant-pool.js';
import { type OpenService, openService, type OpenServiceOptions } from './open-service.js';

export type EmbeddedTenants = ReturnType<typeof openTenants>;

export function openTenants({
  records,
  limits,
  threads,
  ...options
}: Omit<OpenServiceOptions, 'tenant' | 'administration'> & {
  readonly records: TenantRecords;
  readonly limits: Partial<PoolLimits>;
  /** Those of the databases of all tenants. */
  readonly threads: SharedThreads;
}) {
  const { config, logger, ids } = options;
  // The process has the pages for browsers, once for all tenants.
  const viewer = { ...config.query.viewer, isEnabled: false, isConsoleEnabled: false };
  const folderOf = ({ id }: Tenant): string => tenantFolder(config.dataFolder, id);

  async function open(tenant: Tenant) {
    const dataFolder = folderOf(tenant);
    const service = await openService({
      ...options,
      config: { ...config, dataFolder, readers: 1, mcp: null, query: { ...config.query, viewer } },
      logger: logger.child({ tenant: tenant.name }),
      // Counters and histograms are of all tenants; gauges are of the default one, because open tenants come and go.
      metrics: { ...(options.metrics ?? NO_METRICS), report: NO_METRICS.report },
      startWorker: options.startWorker ?? threads.start,
      tenant,
    });
    return { ...service, historyId: () => service.historyId, usage: () => usageOf(service, dataFolder) };
  }

  const services = openTenantAccess({
    records,
    open: async (tenant) => {
      const dataFolder = folderOf(tenant);
      if (statSync(join(dataFolder, DATA_FILE), { throwIfNoEntry: false }) === undefined)
        throw new DependencyError(
          'journal',
          `The data of the tenant '${tenant.name}' is missing: restore ${tenantFolder('', tenant.id)} in the data folder`,
        );
      return open(tenant);
    },
    limits: { ...POOL_LIMITS, openLimit: config.tenantsOpenLimit, ...limits },
    role: 'alone',
    logger,
  });
  const administration = createTenantAdministration({
    records,
    services,
    data: {
      create: async (tenant) => {
        await (await open(tenant)).close();
      },
      remove: (tenant) => rm(folderOf(tenant), { recursive: true, force: true }),
    },
    ids,
    logger,
  });
  return {
    services,
    administration,
    /** Logs the folders of tenants that a restored data file does not have. */
    reportUnknownFolders: async () => {
      const present = await readdir(tenantFolder(config.dataFolder, '')).catch(() => []);
      const known = new Set(services.directory.list().map(({ id }) => id));
      const folders = present.filter((name) => !known.has(name));
      if (folders.length > 0)
        logger.warn({ folders }, 'folders of tenants that are not in the list: they are neither served nor removed');
    },
  };
}

async function usageOf({ engines: { graph } }: OpenService, folder: string): Promise<TenantUsage> {
  const { memories } = await graph.counts({ excludedTypes: [] });
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return { memories, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
