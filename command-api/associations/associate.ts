/** POST /associate, single or batch: an existing association keeps its `created_at` and takes the new values. */
import { type Association, associationSubject } from '../../shared/contract/association.js';
import type { NewEvent, RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { Handler, ReplyFor, RequestContext } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { GraphReader, LoadedAssociation } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import { type Decision, type Facts, newEvent, oneEvent, readVisible } from '../decision.js';
import {
  type AssociationDraft,
  draftAssociation,
  draftAssociations,
  ENDS_MISSING,
  type ItemDraft,
} from './draft-association.js';

type Graph = Pick<GraphReader, 'memories' | 'associations'>;
export type AssociateDeps = { readonly commands: CommandHandling; readonly graph: Graph };

export function createAssociate({ commands, graph }: AssociateDeps): Handler<'associate'> {
  const { handle, facts, requireWholeGraph } = commands;
  return async ({ body, context }) => {
    const fields: Readonly<Record<string, unknown>> = body;
    if (Array.isArray(fields['associations'])) {
      const items = draftAssociations(fields['associations']);
      requireWholeGraph();
      const drafts = items.flatMap((item) => ('draft' in item ? item.draft : []));
      return handle(context, {
        load: () => load(drafts, graph, context),
        decide: (state) => decideAssociations(state, drafts, facts(context, drafts.length)),
        answer: (events) => associateBatchAnswer(items, events),
      });
    }
    const draft = draftAssociation(fields);
    return handle(context, {
      load: () => load([draft], graph, context),
      decide: (state) => decideAssociate(state, draft, facts(context, 1)),
      answer: () => associateAnswer(draft),
    });
  };
}

/** Without drafts it does not read the graph: a batch without a valid item gets its answer anyway. */
async function load(
  drafts: readonly AssociationDraft[],
  graph: Graph,
  context: RequestContext,
): Promise<AssociationState> {
  if (drafts.length === 0) return { present: new Set(), associations: new Map() };
  const ends = [...new Set(drafts.flatMap(({ source, target }) => [source, target]))];
  const [memories, associations] = await Promise.all([readVisible(graph, ends, context), graph.associations(drafts)]);
  return {
    present: new Set(memories.map(({ memory }) => memory.id)),
    associations: new Map(associations.map((loaded) => [associationSubject(loaded.association), loaded])),
  };
}

/** Builds the answer from the request and its events alone, so that a repeated request gets the same one. */
export function associateAnswer({
  source,
  target,
  type,
  strength,
  properties,
}: AssociationDraft): ReplyFor<'associate'> {
  return {
    status: 201,
    body: {
      status: 'success',
      message: `Association created between ${source} and ${target}`,
      relation_type: type,
      strength,
      ...properties,
    },
  };
}

type Succeeded = ReplyOf<'associate', 207>['succeeded'][number];
type Failed = ReplyOf<'associate', 207>['failed'][number];

/** A valid draft without an event has missing memories: there is no other reason. */
export function associateBatchAnswer(
  items: readonly ItemDraft[],
  events: readonly RecordedEvent[],
): ReplyFor<'associate'> {
  const subjects = new Set(events.map(({ subject }) => subject));
  const results = items.map((item, index): Succeeded | Failed => {
    if ('reason' in item) return { index, reason: item.reason };
    const { source, target, type, strength } = item.draft;
    if (!subjects.has(associationSubject(item.draft))) return { index, reason: ENDS_MISSING };
    return { index, memory1_id: source, memory2_id: target, relation_type: type, strength };
  });
  const succeeded = results.filter((result): result is Succeeded => !('reason' in result));
  const failed = results.filter((result) => 'reason' in result);
  return {
    status: failed.length === 0 ? 201 : 207,
    body: {
      status: failed.length === 0 ? 'success' : 'partial_success',
      created_count: succeeded.length,
      failed_count: failed.length,
      succeeded,
      failed,
      summary: `${succeeded.length}/${items.length} associations created successfully`,
    },
  };
}

export type AssociationState = {
  /** The ends that exist, and that the caller sees. */
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
  const { properties: given, ...key } = draft;
  const { created_at = facts.now, properties = {} } = loaded?.association ?? {};
  return newEvent(facts, index, {
    type: loaded ? 'association.updated' : 'association.created',
    ...written({ ...key, properties: { ...properties, ...given }, created_at, updated_at: facts.now }, given),
    version: (loaded?.version ?? 0) + 1,
    revision: (loaded?.revision ?? 0) + 1,
  });
}

/** The first version of an association. Both memories must exist. `reason`: of consolidation. */
export function decideNewAssociation(association: Association, facts: Facts, reason?: string): Decision {
  const { source, target, properties } = association;
  const event = newEvent(facts, 0, {
    type: 'association.created',
    ...written(association, properties, reason),
    version: 1,
    revision: 1,
  });
  return oneEvent(event, [source, target]);
}

/** `given`: the properties of the command. */
function written(association: Association, given: object, reason?: string) {
  const changed = ['strength', 'updated_at', ...Object.keys(given)];
  return {
    data: { association, changed, ...(reason !== undefined && { reason }) },
    subject: associationSubject(association),
    partitionKey: association.source,
  };
}
