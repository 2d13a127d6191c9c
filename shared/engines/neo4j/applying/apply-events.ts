/**
 * Converts events to the statements of one transaction: first all locks, then the events in waves, where a wave has
 * each subject at most once. The order of different subjects does not matter: an association with a missing end gets a
 * placeholder, and a deletion also deletes the associations of its memory.
 */
import { int } from 'neo4j-driver';
import type { EntityRecord } from '../../../contract/entities/entity.js';
import type { RecordedEvent } from '../../../contract/events.js';
import type { Statement } from '../neo4j.js';
import { deleteMemories, type MemoryDeletion } from './delete-memories.js';
import { lockSubjects } from './lock-subjects.js';
import { type DerivedSet, replaceDerived } from './replace-derived.js';
import { type AssociationUpsert, upsertAssociations } from './upsert-associations.js';
import { type MemoryUpsert, setPositions, upsertMemories, type WrittenMemory } from './upsert-memories.js';

/** Skips an event whose data was erased, except a deletion and the position of a stored event, which need no data. */
export function applyStatements(events: readonly RecordedEvent[]): readonly Statement[] {
  const changes = events.map(changeOf).filter((change) => change !== null);
  if (changes.length === 0) return [];
  const deleted = changes.filter(({ kind }) => kind === 'deleteMemory').flatMap(({ ids }) => ids);
  return [lockSubjects({ ids: changes.flatMap(({ ids }) => ids), deleted }), ...waves(changes).flatMap(statementsOf)];
}

type Change = { readonly subject: string; readonly ids: readonly string[] } & (
  | { readonly kind: 'upsertMemory'; readonly upsert: MemoryUpsert; readonly derived?: DerivedSet }
  | { readonly kind: 'setPosition'; readonly written: WrittenMemory }
  | { readonly kind: 'deleteMemory'; readonly deletion: MemoryDeletion }
  | { readonly kind: 'upsertEntity'; readonly entity: EntityUpsert }
  | { readonly kind: 'upsertAssociation'; readonly association: AssociationUpsert }
);

function changeOf(event: RecordedEvent): Change | null {
  const { subject, version, revision, position } = event;
  switch (event.type) {
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.enrichment.requested':
    case 'memory.enrichment.failed':
    case 'memory.relevance.changed':
    case 'memory.archived':
    case 'memory.restored': {
      const isStored = event.type === 'memory.stored';
      if (!event.data)
        return isStored ? { kind: 'setPosition', subject, ids: [subject], written: { id: subject, position } } : null;
      return {
        kind: 'upsertMemory',
        subject,
        ids: [subject],
        upsert: {
          ...event.data,
          version,
          revision,
          position: isStored ? position : null,
          // A later event of a meta memory erases the data of its `memory.stored`, so each one may replace a tombstone.
          isStored: isStored || event.data.memory.type === 'MetaPattern',
        },
      };
    }
    case 'memory.enriched':
    case 'memory.cluster.changed': {
      if (!event.data) return null;
      const derived = { id: subject, version, at: event.time, set: event.data.derived };
      return {
        kind: 'upsertMemory',
        subject,
        ids: [subject, ...derived.set.map(({ target }) => target)],
        upsert: { ...event.data, version, revision, position: null, isStored: false },
        derived,
      };
    }
    case 'memory.deleted':
      return { kind: 'deleteMemory', subject, ids: [subject], deletion: event };
    case 'association.created':
    case 'association.updated': {
      if (!event.data) return null;
      const { association } = event.data;
      return {
        kind: 'upsertAssociation',
        subject,
        ids: [association.source, association.target],
        association: { ...association, version, revision },
      };
    }
    case 'entity.merged':
    case 'entity.updated':
      return (
        event.data && {
          kind: 'upsertEntity',
          subject,
          ids: [],
          entity: { id: subject, version, revision, ...event.data },
        }
      );
    case 'key.created':
    case 'key.rotated':
    case 'key.revoked':
      return null; // not part of the graph
    default:
      return event satisfies never;
  }
}

/** The nth change of every subject is in the nth wave. */
function waves(changes: readonly Change[]): readonly (readonly Change[])[] {
  const found: Change[][] = [];
  const seen = new Map<string, number>();
  for (const change of changes) {
    const wave = seen.get(change.subject) ?? 0;
    seen.set(change.subject, wave + 1);
    (found[wave] ??= []).push(change);
  }
  return found;
}

function statementsOf(wave: readonly Change[]): readonly Statement[] {
  const upserts = wave.flatMap((change) => (change.kind === 'upsertMemory' ? [change.upsert] : []));
  const derived = wave.flatMap((change) => (change.kind === 'upsertMemory' && change.derived ? [change.derived] : []));
  const written = wave.flatMap((change) => (change.kind === 'setPosition' ? [change.written] : []));
  const deletions = wave.flatMap((change) => (change.kind === 'deleteMemory' ? [change.deletion] : []));
  const entities = wave.flatMap((change) => (change.kind === 'upsertEntity' ? [change.entity] : []));
  const associations = wave.flatMap((change) => (change.kind === 'upsertAssociation' ? [change.association] : []));
  return [
    ...(written.length > 0 ? [setPositions(written)] : []),
    ...(upserts.length > 0 ? [upsertMemories(upserts)] : []),
    ...(derived.length > 0 ? [replaceDerived(derived)] : []),
    ...(deletions.length > 0 ? [deleteMemories(deletions)] : []),
    ...(entities.length > 0 ? [upsertEntities(entities)] : []),
    ...(associations.length > 0 ? [upsertAssociations(associations)] : []),
  ];
}

type EntityUpsert = {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
  readonly entity: EntityRecord;
};

/**
 * Writes records of entities. They are few, and no association leads to them. At most one version of each. Setting
 * `locked` takes the lock before the version is read; the order of ids prevents deadlocks.
 */
function upsertEntities(upserts: readonly EntityUpsert[]): Statement {
  const sorted = [...upserts].sort((one, other) => (one.id < other.id ? -1 : 1));
  return { text: UPSERT_ENTITIES, given: { rows: sorted.map(rowOf) } };
}

export const UPSERT_ENTITIES = `UNWIND $given.rows AS row
  MERGE (e:EntityRecord {id: row.id}) SET e.locked = true
  WITH e, row WHERE coalesce(e.version, 0) < row.version
  SET e += row.properties`;

function rowOf({ id, version, revision, entity }: EntityUpsert): Record<string, unknown> {
  const key = `${entity.category}:${entity.slug}`;
  const body = JSON.stringify(entity); // a Neo4j property cannot hold a map
  return { id, version: int(version), properties: { key, version: int(version), revision: int(revision), body } };
}
