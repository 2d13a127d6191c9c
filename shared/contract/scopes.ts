/** What a key may do. Each operation needs one scope, which follows from its group and method. */
import type { Operation } from './operation.js';

export const SCOPES = {
  'memories:read': 'Recall and read memories and their associations.',
  'memories:write': 'Store and change memories, and associate them.',
  'memories:delete': 'Delete memories.',
  'graph:read': 'Read the graph, its entities and its statistics.',
  'events:read': 'Read and watch the events of the journal, which contain all memories.',
  'admin:jobs': 'Operate the service: jobs, projectors, dead letters, indexes, consolidation, import and backup.',
  'admin:webhooks': 'Administer webhooks, which send the events of the journal to any public address.',
  'admin:keys': 'Administer keys, and give them scopes that the own key has.',
  'admin:tenants': 'Make, suspend and delete tenants, and make their keys. No key of a tenant has it.',
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

/**
 * The scopes that a key with a tag may have. Each of their operations restricts itself to the memories that the key
 * sees; the operations of other scopes show or change what belongs to all.
 */
export const TAGGED_KEY_SCOPES: readonly Scope[] = ['memories:read', 'memories:write', 'memories:delete'];

/** The scope that a key needs for the operation; null where no key is asked for, or none is enough. */
export function scopeOf({ access, tag, method, path }: Operation): Scope | null {
  if (access === 'public' || access === 'internal') return null;
  if (path.startsWith('/admin/keys')) return 'admin:keys';
  if (path.startsWith('/admin/tenants')) return 'admin:tenants';
  if (path.startsWith('/admin/webhooks')) return 'admin:webhooks';
  if (access !== 'api') return 'admin:jobs';
  if (tag === 'Graph') return 'graph:read';
  if (tag === 'Events') return 'events:read';
  if (tag === 'Enrichment' || tag === 'Administration') return 'admin:jobs';
  if (method === 'DELETE') return 'memories:delete';
  return method === 'GET' ? 'memories:read' : 'memories:write';
}
