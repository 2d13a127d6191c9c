/**
 * The state of a simulated graph, and how events change it: idempotent, guarded by versions, as `GraphWriter.apply`
 * promises. Pure. Derived associations and entities are left out, because no process of the simulation makes them.
 */
import type { Association } from '../../../shared/contract/association.js';
import { isStateEvent, type MemoryState, type RecordedEvent } from '../../../shared/contract/events.js';

export type GraphNode = {
  readonly version: number;
  readonly revision: number;
  /** Null for a deleted memory. */
  readonly state: MemoryState | null;
};
export type GraphAssociation = {
  readonly version: number;
  readonly revision: number;
  readonly association: Association;
};
export type GraphState = {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly associations: ReadonlyMap<string, GraphAssociation>;
};

export const EMPTY_GRAPH: GraphState = { nodes: new Map(), associations: new Map() };

export function applyToGraph(before: GraphState, events: readonly RecordedEvent[]): GraphState {
  const nodes = new Map(before.nodes);
  const associations = new Map(before.associations);
  for (const event of events) {
    const { subject, version, revision } = event;
    const known = nodes.get(subject);
    if (event.type === 'memory.deleted') {
      if ((known?.version ?? 0) >= version) continue;
      nodes.set(subject, { version, revision, state: null });
      for (const [key, { association }] of associations)
        if (association.source === subject || association.target === subject) associations.delete(key);
    } else if (event.type === 'association.created' || event.type === 'association.updated') {
      if (!event.data || (associations.get(subject)?.version ?? 0) >= version) continue;
      const { association } = event.data;
      const isDeleted = (id: string): boolean => nodes.get(id)?.state === null;
      if (isDeleted(association.source) || isDeleted(association.target)) continue;
      associations.set(subject, { version, revision, association });
    } else if (isStateEvent(event) && event.data) {
      if ((known?.version ?? 0) >= version || (known?.state === null && event.type !== 'memory.stored')) continue;
      const { memory, vectorRef } = event.data;
      nodes.set(subject, { version, revision, state: { memory, vectorRef } });
    }
  }
  return { nodes, associations };
}
