/**
 * The rules of access that the permission matrix expects, written by path and independent of the product: an operation
 * at a new path has no rule, and its author adds one here.
 */
import type { Operation } from '../../../shared/contract/operation.js';

/** What a key needs, or who may call an operation without one. */
export type Rule = {
  /** Null: open to all callers, or to no caller but our own processes. */
  readonly scope: string | null;
  /** `admin_alone`: with the admin token and no API token. */
  readonly tier: 'public' | 'api' | 'admin' | 'admin_alone' | 'internal';
};

type Row = readonly [methods: string, path: RegExp, tier: Rule['tier'], scope: string | null];

/** The first row that matches decides. */
const ROWS: readonly Row[] = [
  ['GET', /^\/(?:livez|readyz|health|openapi\.json)?$/u, 'public', null],
  ['GET', /^\/(?:viewer|console|docs)(?:\/(?:\*path)?)?$/u, 'public', null],
  ['POST', /^\/internal\//u, 'internal', null],
  ['GET', /^\/backup$/u, 'admin_alone', 'admin:jobs'],
  ['*', /^\/admin\/tenants(?:\/|$)/u, 'admin', 'admin:tenants'],
  ['*', /^\/admin\/keys(?:\/|$)/u, 'admin', 'admin:keys'],
  ['*', /^\/admin\/webhooks(?:\/|$)/u, 'admin', 'admin:webhooks'],
  ['*', /^\/admin\//u, 'admin', 'admin:jobs'],
  ['GET', /^\/activity$/u, 'admin', 'admin:jobs'],
  ['POST', /^\/enrichment\/reprocess$/u, 'admin', 'admin:jobs'],
  ['POST', /^\/entity\/:slug\/(?:merge|unmerge)$/u, 'admin', 'admin:jobs'],
  ['GET', /^\/entities\/audit$/u, 'admin', 'admin:jobs'],
  ['*', /^\/(?:consolidate|enrichment)(?:\/|$)/u, 'api', 'admin:jobs'],
  ['GET', /^\/(?:events|stream|stream\/status|memory\/:id\/history)$/u, 'api', 'events:read'],
  ['GET', /^\/(?:graph\/.+|overview|analyze|entities|entities\/merge-candidates|entity\/:slug)$/u, 'api', 'graph:read'],
  [
    'GET',
    /^\/(?:recall|startup-recall|memories|memories\/:key\/related|memory\/by-tag|memory\/:id)$/u,
    'api',
    'memories:read',
  ],
  ['POST PATCH', /^\/(?:memory|memory\/batch|memory\/:id|associate)$/u, 'api', 'memories:write'],
  ['DELETE', /^\/memory\//u, 'api', 'memories:delete'],
];

export function ruleOf({ method, path }: Pick<Operation, 'method' | 'path'>): Rule {
  const row = ROWS.find(([methods, pattern]) => (methods === '*' || methods.includes(method)) && pattern.test(path));
  if (row === undefined) throw new Error(`${method} ${path} has no rule of access: add one`);
  const [, , tier, scope] = row;
  return { tier, scope };
}

/** What a credential is worth, as far as access goes. */
export type Holding =
  | { readonly kind: 'tokens'; readonly hasApi: boolean; readonly hasAdmin: boolean }
  /** Of a key, or of a token of the issuer. */
  | { readonly kind: 'scopes'; readonly scopes: readonly string[] }
  /** The credential is a text that is refused, whatever else comes with it. */
  | { readonly kind: 'refused' }
  /** The key of a tenant that is suspended. */
  | { readonly kind: 'suspended' };

/** `open`: neither 401 nor 403. `absent`: 401, 403 or 404, because callers have no internal operations. */
export type Expected = 'open' | 'absent' | 401 | 403;

export function expectedOutcome({ tier, scope }: Rule, holding: Holding): Expected {
  if (tier === 'public') return 'open';
  if (tier === 'internal') return 'absent';
  switch (holding.kind) {
    case 'refused':
      return 401;
    case 'suspended':
      return 403;
    case 'scopes':
      return scope !== null && holding.scopes.includes(scope) ? 'open' : 403;
    case 'tokens': {
      const hasApi = tier === 'admin_alone' || holding.hasApi;
      return hasApi && (tier === 'api' || holding.hasAdmin) ? 'open' : 401;
    }
  }
}

const ABSENT = [401, 403, 404];

export function isExpected(status: number, expected: Expected): boolean {
  if (expected === 'absent') return ABSENT.includes(status);
  if (expected === 'open') return status < 500 && status !== 401 && status !== 403;
  return status === expected;
}
