/** The commands of operators for tenants: make, list, suspend, delete, and make the first key. */
import { DEFAULT_TENANT } from '../shared/contract/maintenance/tenants.js';
import type { ReplyOf } from '../shared/contract/operations.js';
import type { Handlers, ReplyFor, RequestFor } from '../shared/http/handler.js';
import { ConflictError, NotFoundError, RuleError, ValidationError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Tenant, TenantChange, TenantUsage } from '../shared/ports/tenants.js';

/** Tenants with their services. Methods with an id return null when no tenant has it. */
export type TenantAdministration = {
  /** Throws ConflictError for a name that another tenant has, and beyond TENANTS_LIMIT. */
  readonly create: (name: string) => Promise<Tenant>;
  /** With fresh counts of the tenants that are open. */
  readonly list: () => Promise<readonly Tenant[]>;
  readonly update: (id: string, change: TenantChange) => Promise<Tenant | null>;
  /**
   * Refuses its keys, ends its work and removes its data. Returns what it had. `isFinished`: false while a server does
   * not delete its part, which goes on in the background.
   */
  readonly remove: (id: string) => Promise<{ readonly usage: TenantUsage; readonly isFinished: boolean } | null>;
  readonly createKey: (
    id: string,
    request: Pick<RequestFor<'createTenantKey'>, 'body' | 'context'>,
  ) => Promise<ReplyFor<'createTenantKey'> | null>;
};

type TenantOperation = 'createTenant' | 'listTenants' | 'updateTenant' | 'deleteTenant' | 'createTenantKey';

/** `tenants`: null where a service has the default tenant alone. */
export function createAdministerTenants({
  tenants: given,
  logger,
}: {
  readonly tenants: TenantAdministration | null;
  readonly logger: Logger;
}): Handlers<TenantOperation> {
  function administration(): TenantAdministration {
    if (given === null) throw new RuleError('A tenant has no tenants of its own: use the admin token of the service');
    return given;
  }

  return {
    createTenant: async ({ body: { name }, context: { actor, requestId } }) => {
      if (name === DEFAULT_TENANT) throw new ConflictError(`'${DEFAULT_TENANT}' is the tenant of the service itself`);
      const tenant = await administration().create(name);
      logger.info({ tenant: name, tenantId: tenant.id, by: actor.name, requestId }, 'tenant made');
      return { status: 201, body: { status: 'success', tenant: tenantBody(tenant) } };
    },
    listTenants: async () => {
      const tenants = (await given?.list())?.map(tenantBody) ?? [];
      return { status: 200, body: { status: 'success', tenants, count: tenants.length } };
    },
    updateTenant: async ({ params: { tenant_id: id }, body, context: { actor, requestId } }) => {
      const change = { ...stateIn(body), limits: limitsIn(body) };
      const tenant = found(await administration().update(id, change));
      logger.info({ tenant: tenant.name, tenantId: id, ...change, by: actor.name, requestId }, 'tenant changed');
      return { status: 200, body: { status: 'success', tenant: tenantBody(tenant) } };
    },
    deleteTenant: async ({ params: { tenant_id: id }, context: { actor, requestId } }) => {
      const { usage, isFinished } = found(await administration().remove(id));
      const { memories, bytes } = usage;
      logger.info({ tenantId: id, memories, isFinished, by: actor.name, requestId }, 'tenant deleted');
      const body = { status: 'success', id, finished: isFinished, memories, bytes, remains: [...REMAINS] } as const;
      return { status: 200, body };
    },
    createTenantKey: async ({ params: { tenant_id: id }, body, context }) =>
      found(await administration().createKey(id, { body, context })),
  };
}

type Change = RequestFor<'updateTenant'>['body'];

function stateIn({ suspended, reason }: Change): Pick<TenantChange, 'state' | 'reason'> {
  if (suspended !== true && reason !== undefined)
    throw new ValidationError("'reason' is the reason of a suspension: send it with 'suspended': true", 'reason');
  if (suspended === undefined) return {};
  return suspended ? { state: 'suspended', reason: reason ?? null } : { state: 'active', reason: null };
}

function limitsIn({ limits = {} }: Change): NonNullable<TenantChange['limits']> {
  const { requests_per_minute, writes_per_minute, memories, bytes } = limits;
  return {
    ...(requests_per_minute !== undefined && { requestsPerMinute: requests_per_minute }),
    ...(writes_per_minute !== undefined && { writesPerMinute: writes_per_minute }),
    ...(memories !== undefined && { memories }),
    ...(bytes !== undefined && { bytes }),
  };
}

const REMAINS = [
  'Backups that were made before: delete their files, or wait until they expire.',
  'Receivers of its webhooks and readers of its events have what they were sent: they delete it themselves.',
  'The log of the service has the names of its keys and the ids of its requests until its lines expire.',
] as const;

function found<T>(value: T | null): T {
  if (value === null) throw new NotFoundError('Tenant not found: GET /admin/tenants lists the tenants');
  return value;
}

function tenantBody(tenant: Tenant): ReplyOf<'listTenants'>['tenants'][number] {
  const { id, name, state, reason, limits, usage } = tenant;
  return {
    id,
    name,
    state,
    reason,
    limits: {
      requests_per_minute: limits.requestsPerMinute,
      writes_per_minute: limits.writesPerMinute,
      memories: limits.memories,
      bytes: limits.bytes,
    },
    memories: usage.memories,
    bytes: usage.bytes,
    counted_at: usage.at,
    created_at: tenant.createdAt,
    updated_at: tenant.updatedAt,
  };
}
