/** The routes that read entities. */
import type { Handlers } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector } from '../../shared/ports/graph-inspector.js';
import { createAuditEntities } from './audit-entities.js';
import { createGetEntity, createListEntities } from './list-entities.js';
import { createListMergeCandidates } from './list-merge-candidates.js';

export function createEntities(deps: {
  readonly graph: Pick<GraphReader, 'entities'>;
  readonly inspector: Pick<GraphInspector, 'tagCounts' | 'tagUses' | 'tagUsesOf' | 'memoriesTagged'>;
}): Handlers<'listEntities' | 'getEntity' | 'listMergeCandidates' | 'auditEntities'> {
  return {
    listEntities: createListEntities(deps),
    getEntity: createGetEntity(deps),
    listMergeCandidates: createListMergeCandidates(deps),
    auditEntities: createAuditEntities(deps),
  };
}
