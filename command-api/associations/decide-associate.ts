/**
 * Decides POST /associate, single or batch: an existing association keeps its `created_at` and takes the new values (an
 * upsert).
 */
import { type Association, associationSubject } from '../../shared/contract/association.js';
import type { NewEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { LoadedAssociation } from '../../shared/ports/graph.js';
import { type Decision, type Facts, newEvent } from '../decision.js';
import { type AssociationDraft, ENDS_MISSING } from './draft-association.js';

export type AssociationState = {
  /** The ends that exist. */
  readonly present: ReadonlySet<MemoryId>;
  /** By subject. */
  readonly associations: ReadonlyMap<string, LoadedAssociation>;
};

export function decideAssociate(state: AssociationState, draft: AssociationDraft, facts: Facts): Decision {
  if (!hasBothEnds(draft, state)) throw new NotFoundError(ENDS_MISSING);
  return decideAssociations(state, [draft], facts);
}

/** A draft with a missing end creates no event. The later of two drafts for the same association wins. */
export function decideAssociations(
  state: AssociationState,
  drafts: readonly AssociationDraft[],
  facts: Facts,
): Decision {
  const bySubject = new Map<string, AssociationDraft>();
  for (const draft of drafts) {
    if (!hasBothEnds(draft, state)) continue;
    const subject = associationSubject(draft);
    const properties = { ...bySubject.get(subject)?.properties, ...draft.properties };
    bySubject.set(subject, { ...draft, properties });
  }
  const kept = [...bySubject];
  return {
    events: kept.map(([subject, draft], index) =>
      associationEvent(state.associations.get(subject), { draft, index }, facts),
    ),
    requires: [...new Set(kept.flatMap(([, { source, target }]) => [source, target]))],
    vectors: [],
  };
}

function hasBothEnds({ source, target }: AssociationDraft, { present }: AssociationState): boolean {
  return present.has(source) && present.has(target);
}

function associationEvent(
  loaded: LoadedAssociation | undefined,
  { draft, index }: { draft: AssociationDraft; index: number },
  facts: Facts,
): NewEvent {
  const { source, target, type, strength } = draft;
  const before = loaded?.association;
  const association: Association = {
    source,
    target,
    type,
    strength,
    properties: { ...before?.properties, ...draft.properties },
    created_at: before?.created_at ?? facts.now,
    updated_at: facts.now,
  };
  return newEvent(facts, index, {
    type: before ? 'association.updated' : 'association.created',
    data: { association, changed: ['strength', 'updated_at', ...Object.keys(draft.properties)] },
    subject: associationSubject(association),
    partitionKey: source,
    version: (loaded?.version ?? 0) + 1,
    revision: (loaded?.revision ?? 0) + 1,
  });
}
