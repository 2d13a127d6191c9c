/** What the edge needs to serve the tenants of a deployment. */
import type { TenantState } from '../contract/maintenance/tenants.js';
import type { OperationName } from '../contract/operations.js';
import { ForbiddenError } from '../kernel/errors.js';
import type { CheckKey } from './auth.js';
import type { Handlers } from './handler.js';

type Served = {
  readonly handlers: Partial<Handlers<OperationName>>;
  readonly checkKey?: CheckKey | undefined;
  readonly historyId?: (() => string | null) | undefined;
  /** Null, or absent: this process does not count it. */
  readonly usage?: (() => Promise<{ readonly memories: number; readonly bytes: number } | null>) | undefined;
};

type TenantEntry = {
  readonly id: string;
  readonly name: string;
  readonly state: TenantState;
  /** Why it is suspended. */
  readonly reason: string | null;
  /** Null: no limit. */
  readonly limits: {
    readonly requestsPerMinute: number | null;
    readonly writesPerMinute: number | null;
    readonly memories: number | null;
    readonly bytes: number | null;
  };
};

/** The service of one tenant, open until `release`. */
export type ServedTenant = {
  readonly tenant: TenantEntry;
  readonly service: Served;
  readonly release: () => void;
};

export type Tenancy = {
  /** Null: no tenant has this id. Throws DeadlineError while too many tenants are open. */
  readonly open: (id: string) => Promise<ServedTenant | null>;
  /** The tenant with this name; null without one. */
  readonly named: (name: string) => Promise<TenantEntry | null>;
};

/** Throws ForbiddenError with the reason of a suspension. */
export function requireActive({ name, state, reason }: TenantEntry): void {
  if (state === 'active') return;
  const why = reason === null ? '' : `: ${reason}`;
  throw new ForbiddenError(`The tenant '${name}' is suspended${why}`, {
    hint: 'Ask the administrator of the service to end the suspension.',
  });
}
