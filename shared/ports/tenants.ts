/** The port of the tenants: the closed spaces of a deployment, listed next to the journal of the default one. */
import type { TenantState } from '../contract/maintenance/tenants.js';
import type { Timestamp } from '../contract/memory.js';

export type Tenant = {
  /** A UUID. It names the data of the tenant and is in its keys; no later tenant has it. */
  readonly id: string;
  /** Unique among the tenants that exist. */
  readonly name: string;
  readonly state: TenantState;
  /** Why it is suspended. */
  readonly reason: string | null;
  readonly limits: TenantLimits;
  /** As last counted. */
  readonly usage: TenantUsage & { readonly at: Timestamp | null };
  /** False while it may have work that a process must continue: it was open, or its process was killed. */
  readonly isSettled: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** Null: no limit. */
export type TenantLimits = {
  readonly requestsPerMinute: number | null;
  /** Requests that change memories or associations. */
  readonly writesPerMinute: number | null;
  readonly memories: number | null;
  readonly bytes: number | null;
};

export const NO_LIMITS: TenantLimits = { requestsPerMinute: null, writesPerMinute: null, memories: null, bytes: null };

/** What is absent stays. */
export type TenantChange = Partial<Pick<Tenant, 'state' | 'reason'>> & { readonly limits?: Partial<TenantLimits> };

export type TenantUsage = { readonly memories: number; readonly bytes: number };

/** Every method throws DependencyError('journal') when the database does not answer. */
export interface Tenants {
  /**
   * In the state `deleting` until `activate`, so that a crash leaves nothing but a tenant to delete. Throws
   * ConflictError when there are TENANTS_LIMIT tenants, or one with this name.
   */
  create(tenant: Pick<Tenant, 'id' | 'name'>): Promise<Tenant>;
  /** Its data is made. Null without such a tenant. */
  activate(id: string): Promise<Tenant | null>;
  /** The oldest first. */
  list(): Promise<readonly Tenant[]>;
  /** Another text after each change of names and states. */
  stamp(): Promise<string>;
  /** Null without such a tenant. A tenant that is being deleted stays so. */
  update(id: string, change: TenantChange): Promise<Tenant | null>;
  setSettled(id: string, isSettled: boolean): Promise<void>;
  saveUsage(id: string, usage: TenantUsage): Promise<Tenant | null>;
  /** A process has a request of it: processes without requests open it too. */
  noteUse(id: string): Promise<void>;
  /** The ids of the tenants with such a note in this time. */
  usedWithin(milliseconds: number): Promise<readonly string[]>;
  /** Those in the state `deleting` that nothing has changed for this long. */
  leftovers(milliseconds: number): Promise<readonly Tenant[]>;
  remove(id: string): Promise<void>;
}
