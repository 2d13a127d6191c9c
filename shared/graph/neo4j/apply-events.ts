/**
 * Events as the statements of one transaction: all locks first, then the events in waves, each of which holds every subject once. The order
 * of different subjects does not matter: an association waits for its ends, and goes with them.
 */
import type { RecordedEvent } from '../../contract/events.js';
import { associate, type ShownAssociation } from './associate.js';
import { derive, type Derived } from './derive.js';
import { forgetMemories, type Forgotten } from './forget-memories.js';
import { lockSubjects } from './lock-subjects.js';
import type { Statement } from './neo4j.js';
import { showMemories, type Shown } from './show-memories.js';

/** An erased event has nothing to show and is passed over; a deletion needs no words, so it holds even then. */
export function applyStatements(events: readonly RecordedEvent[]): readonly Statement[] {
  const changes = events.map(changeOf).filter((change) => change !== null);
  if (changes.length === 0) return [];
  const deleted = changes.filter(({ kind }) => kind === 'forget').flatMap(({ ids }) => ids);
  return [lockSubjects({ ids: changes.flatMap(({ ids }) => ids), deleted }), ...waves(changes).flatMap(statementsOf)];
}

type Change = { readonly subject: string; readonly ids: readonly string[] } & (
  | { readonly kind: 'show'; readonly shown: Shown; readonly derived?: Derived }
  | { readonly kind: 'forget'; readonly forgotten: Forgotten }
  | { readonly kind: 'associate'; readonly association: ShownAssociation }
);

function changeOf(event: RecordedEvent): Change | null {
  const { subject, version, revision } = event;
  switch (event.type) {
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.enrichment.requested':
    case 'memory.enrichment.failed':
      return event.data && { kind: 'show', subject, ids: [subject], shown: { ...event.data, version, revision } };
    case 'memory.enriched': {
      if (!event.data) return null;
      const derived = { id: subject, version, at: event.time, set: event.data.derived };
      return {
        kind: 'show',
        subject,
        ids: [subject, ...derived.set.map(({ target }) => target)],
        shown: { ...event.data, version, revision },
        derived,
      };
    }
    case 'memory.deleted':
      return { kind: 'forget', subject, ids: [subject], forgotten: event };
    case 'association.created':
    case 'association.updated': {
      if (!event.data) return null;
      const { association } = event.data;
      return {
        kind: 'associate',
        subject,
        ids: [association.source, association.target],
        association: { ...association, version, revision },
      };
    }
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
  const shown = wave.flatMap((change) => (change.kind === 'show' ? [change.shown] : []));
  const derived = wave.flatMap((change) => (change.kind === 'show' && change.derived ? [change.derived] : []));
  const forgotten = wave.flatMap((change) => (change.kind === 'forget' ? [change.forgotten] : []));
  const associations = wave.flatMap((change) => (change.kind === 'associate' ? [change.association] : []));
  return [
    ...(shown.length > 0 ? [showMemories(shown)] : []),
    ...(derived.length > 0 ? [derive(derived)] : []),
    ...(forgotten.length > 0 ? [forgetMemories(forgotten)] : []),
    ...(associations.length > 0 ? [associate(associations)] : []),
  ];
}
