/** Opens the tenants of the deployment for their commands, and for operators who make and delete them. */
import type { StartContext, StartedService } from '../shared/http/run-service.js';
import { createLoop } from '../shared/kernel/concurrency/loop.js';
import type { Tenant, Tenants } from '../shared/ports/tenants.js';
import { openTenantsOf } from '../shared/tenants/tenants-of-process.js';
import { tenantDataIn } from './open-tenant-data.js';
import type { CommandProcessConfig } from './process-config.js';
import { createTenantAdministration } from './tenant-administration.js';

type Context = StartContext<CommandProcessConfig>;

export function openTenants(
  context: Context,
  {
    records,
    open,
  }: { readonly records: Tenants; readonly open: (own: Context, tenant: Tenant) => Promise<StartedService> },
) {
  const { ids, logger, resources } = context;
  const services = openTenantsOf(context, { records, role: 'requests', open });
  const administration = createTenantAdministration({ records, services, data: tenantDataIn(context), ids, logger });
  const closing = new AbortController();
  const finishing = createLoop({
    step: async () => {
      await administration.finishDeletions(LEFT_MS);
      return 'idle';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'a deletion of a tenant could not be finished'),
    pace: FINISH_PACE,
  }).run(closing.signal);
  resources.add({ finishing }, ({ finishing: running }) => {
    closing.abort();
    return running;
  });
  return { services, administration };
}

/** Making a tenant takes some seconds. */
const LEFT_MS = 60_000;
const FINISH_PACE = { idleMinimumMs: 10_000, idleMaximumMs: 10_000, failedMinimumMs: 1_000, failedMaximumMs: 60_000 };
