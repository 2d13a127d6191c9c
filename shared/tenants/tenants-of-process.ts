/** The tenants of a process of the distributed composition: each has a part of its own in the same servers. */
import type { Resources } from '../kernel/concurrency/resources.js';
import type { Logger } from '../kernel/logger.js';
import type { Tenant, Tenants, TenantUsage } from '../ports/tenants.js';
import { openTenantAccess, type TenantAccess } from './tenant-access.js';
import { POOL_LIMITS } from './tenant-pool.js';

type Context<C> = {
  readonly config: { readonly start: { readonly tenantsOpenLimit: number } };
  readonly logger: Logger;
  readonly resources: Resources;
  readonly forTenant: (tenant: Tenant) => C;
};

/** As for `openTenantAccess`. */
type Role = 'requests' | 'work';

type Started = {
  /** Resolves with the reason when the service cannot go on: the next request opens another one. */
  readonly failed?: Promise<string>;
  /** Absent where no work of the tenant waits in this process. */
  readonly isQuiet?: () => Promise<boolean>;
  /** Absent where the process does not count it. */
  readonly usage?: () => Promise<TenantUsage>;
};

/** Opens the service of the default tenant, then those of the others while they are used. */
export async function openWithTenants<
  S extends Started & { readonly tenants: Tenants },
  C extends Context<C> & { readonly resources: Resources },
>(
  context: C,
  { role, open }: { readonly role: Role; readonly open: (context: C, tenant: Tenant | null) => Promise<S> },
) {
  const opened = await open(context, null);
  return { ...opened, tenancy: openTenantsOf(context, { records: opened.tenants, role, open }) };
}

/** Closes with the resources of the process. */
export function openTenantsOf<S extends Started, C extends { readonly resources: Resources }>(
  context: Context<C>,
  {
    records,
    role,
    open,
  }: {
    readonly records: Tenants;
    readonly role: Role;
    readonly open: (context: C, tenant: Tenant) => Promise<S>;
  },
): TenantAccess<S & ReturnType<typeof pooled>> {
  const { config, logger, resources, forTenant } = context;
  const services = openTenantAccess({
    records,
    open: async (tenant) => {
      const own = forTenant(tenant);
      try {
        const service = await open(own, tenant);
        void service.failed?.then((reason) => {
          logger.warn({ tenant: tenant.name, reason }, 'the service of a tenant is opened again');
          return services.end(tenant.id);
        });
        return { ...service, ...pooled(service, own.resources) };
      } catch (error) {
        await own.resources.close();
        throw error;
      }
    },
    limits: { ...POOL_LIMITS, openLimit: config.start.tenantsOpenLimit },
    role,
    logger,
  });
  return resources.add(services, (opened) => opened.close());
}

function pooled({ isQuiet, usage }: Started, resources: Resources) {
  return {
    isQuiet: isQuiet ?? (() => Promise.resolve(true)),
    usage: usage ?? (() => Promise.resolve(null)),
    close: () => resources.close(),
  };
}
