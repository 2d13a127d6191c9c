/** Makes, changes and deletes tenants: their entry in the list, their data and their service. */
import type { OperationName } from '../shared/contract/operations.js';
import type { Handlers } from '../shared/http/handler.js';
import type { Ids } from '../shared/kernel/clock.js';
import { ConflictError, isRetryable } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Tenant, Tenants, TenantUsage } from '../shared/ports/tenants.js';
import type { TenantAccess } from '../shared/tenants/tenant-access.js';
import type { PooledService } from '../shared/tenants/tenant-pool.js';
import type { TenantAdministration } from './administer-tenants.js';

/** The places where the data of tenants is. Both methods may run again after a failure or a crash. */
export type TenantData = {
  readonly create: (tenant: Tenant) => Promise<void>;
  readonly remove: (tenant: Tenant) => Promise<void>;
};

type AdministeredService = PooledService & { readonly handlers: Partial<Handlers<OperationName>> };

export function createTenantAdministration({
  records,
  services,
  data,
  ids,
  logger,
}: {
  readonly records: Tenants;
  readonly services: TenantAccess<AdministeredService>;
  readonly data: TenantData;
  readonly ids: Ids;
  readonly logger: Logger;
}): TenantAdministration & {
  /**
   * Deletes what was left for this long by a failure or a crash: tenants being deleted, or being made. One that cannot
   * be deleted stays for the next call.
   */
  readonly finishDeletions: (milliseconds: number) => Promise<void>;
} {
  const { directory } = services;

  /** Null where it is not open, and where it closes meanwhile. */
  async function countOpen(id: string): Promise<TenantUsage | null> {
    try {
      return (await services.opened(id)?.usage()) ?? null;
    } catch (err) {
      logger.debug({ err, tenantId: id }, 'the data of a tenant could not be counted');
      return null;
    }
  }

  async function removeAll(tenant: Tenant): Promise<void> {
    await services.end(tenant.id);
    await data.remove(tenant);
    await records.remove(tenant.id);
    await directory.refresh();
  }

  return {
    create: async (name) => {
      const made = await records.create({ id: ids.uuid(), name });
      try {
        await data.create(made);
        const tenant = await records.activate(made.id);
        if (tenant === null) throw new ConflictError(`Making '${name}' took too long: send the request again`);
        await directory.refresh();
        return tenant;
      } catch (error) {
        await removeAll(made);
        throw error;
      }
    },
    list: async () => {
      for (const { id } of directory.list()) {
        const usage = await countOpen(id);
        if (usage !== null) await records.saveUsage(id, usage);
      }
      return records.list();
    },
    update: async (id, change) => {
      const tenant = (await directory.find(id)) && (await records.update(id, change));
      await directory.refresh();
      return tenant;
    },
    remove: async (id) => {
      const tenant = await records.update(id, { state: 'deleting', reason: null });
      if (tenant === null) return null;
      await directory.refresh();
      const usage = (await countOpen(id)) ?? tenant.usage;
      try {
        await removeAll(tenant);
        return { usage, isFinished: true };
      } catch (err) {
        if (!isRetryable(err)) throw err;
        logger.warn({ err, tenant: tenant.name }, 'the deletion of a tenant goes on');
        return { usage, isFinished: false };
      }
    },
    createKey: async (id, request) => {
      const opened = await services.open(id);
      if (opened === null) return null;
      try {
        return (await opened.service.handlers.createKey?.({ ...request, params: {}, query: {} })) ?? null;
      } finally {
        opened.release();
      }
    },
    finishDeletions: async (milliseconds) => {
      for (const tenant of await records.leftovers(milliseconds))
        await removeAll(tenant).catch((err: unknown) =>
          logger.warn({ err, tenant: tenant.name }, 'a deletion of a tenant could not be finished'),
        );
    },
  };
}
