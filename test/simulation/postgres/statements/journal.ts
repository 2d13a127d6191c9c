/** The statements that read the journal, and those of its identity. */
import { REBUILD_HEARTBEAT_TIMEOUT_MS } from '../../../../shared/ports/journal-identity.js';
import {
  headOf,
  NO_ROWS,
  rows,
  type SimulatedStatement,
  type SimulatedStatements,
  sortedBy,
  sortedByText,
} from '../statement.js';
import type { JournalRow, Rows, View } from '../tables.js';
import { commitLetters } from './pending.js';

type Identity = Rows['journal_identity'];

function identityOf(view: View): Identity {
  const identity = view.get('journal_identity', 1);
  if (!identity) throw new Error('The simulated journal has no identity');
  return identity;
}

/** Changes the identity row. */
function saving(change: (identity: Identity, params: readonly unknown[], now: number) => Partial<Identity>) {
  return (({ view, params, now }) => {
    const identity = identityOf(view);
    view.put('journal_identity', 1, { ...identity, ...change(identity, params, now) });
    return NO_ROWS;
  }) satisfies SimulatedStatement;
}

const state: SimulatedStatement = ({ view, now }) => {
  const identity = identityOf(view);
  const isRebuilding = identity.rebuild_at !== null && identity.rebuild_at > now - REBUILD_HEARTBEAT_TIMEOUT_MS;
  const unapplied = [...view.all('outbox_pending'), ...commitLetters(view)].map(({ position }) => position);
  const before = Math.min(Infinity, ...unapplied);
  const applied = view.all('journal').filter(({ position }) => position < before);
  return rows([
    {
      id: identity.id,
      has_marked_graph: identity.has_marked_graph,
      graph_behind_from: identity.graph_behind_from,
      lost_position: identity.lost_position,
      lost_event_id: identity.lost_event_id,
      rebuild: isRebuilding ? identity.rebuild_progress : null,
      head: headOf(view),
      applied: Math.max(0, ...applied.map(({ position }) => position)),
    },
  ]);
};

function between({ view, params }: Parameters<SimulatedStatement>[0]): readonly JournalRow[] {
  const [after, types, , through] = params as [number, readonly string[] | null, number, number | null];
  return view
    .all('journal')
    .filter(
      ({ position, type }) =>
        position > after && position <= (through ?? Infinity) && (types === null || types.includes(type)),
    );
}

const lastOf: SimulatedStatement = ({ view, params }) => {
  const [subjects, types] = params as [readonly string[], readonly string[]];
  const last = new Map<string, JournalRow>();
  for (const row of view.all('journal')) {
    if (!subjects.includes(row.subject) || !types.includes(row.type)) continue;
    const key = `${row.subject} ${row.type}`;
    if (row.version > (last.get(key)?.version ?? 0)) last.set(key, row);
  }
  return rows([...last.values()]);
};

const states: SimulatedStatement = ({ view, params }) => {
  const [after, limit] = params as [string, number];
  const known = view.all('subjects').filter(({ subject, version }) => subject > after && version > 0);
  const events = new Map(view.all('journal').map((row) => [`${row.subject} ${row.version}`, row]));
  const page = sortedByText(known, ({ subject }) => subject).slice(0, limit);
  return rows(page.flatMap(({ subject, version }) => events.get(`${subject} ${version}`) ?? []));
};

export const JOURNAL: SimulatedStatements = {
  'journal.journal_state': state,
  'journal.journal_id': ({ view }) => rows([{ id: identityOf(view).id }]),
  'journal.event_ids_at': ({ view, params: [positions] }) =>
    rows(
      [...new Set(positions as readonly number[])]
        .flatMap((position) => view.get('journal', position) ?? [])
        .map(({ position, event_id }) => ({ position, event_id })),
    ),
  'journal.save_lost': saving(({ id, lost_position: known }, [position, eventId, journalId]) =>
    known === null && (journalId ?? id) === id
      ? { lost_position: Number(position), lost_event_id: String(eventId) }
      : {},
  ),
  'journal.begin_history': saving(() => ({
    id: crypto.randomUUID(),
    lost_position: null,
    lost_event_id: null,
    has_marked_graph: true,
    graph_behind_from: null,
  })),
  'journal.save_graph_marked': saving(() => ({ has_marked_graph: true })),
  'journal.save_graph_behind': saving(({ graph_behind_from: known }, [from]) => ({
    graph_behind_from: Math.min(known ?? Infinity, Number(from)),
  })),
  'journal.save_graph_caught_up': saving(({ graph_behind_from: known }, [from]) =>
    known === from ? { graph_behind_from: null } : {},
  ),
  'journal.save_rebuild': saving((_, [progress], now) => ({
    rebuild_progress: progress as string | null,
    rebuild_at: now,
  })),
  'journal.read': (scope) =>
    rows(sortedBy(between(scope), ({ position }) => position).slice(0, Number(scope.params[2]))),
  'journal.read_subject': (scope) => {
    const [subject, version] = scope.params.slice(4) as [string, number];
    const found = between(scope).filter((row) => row.subject === subject && row.version > version);
    return rows(sortedBy(found, (row) => row.version).slice(0, Number(scope.params[2])));
  },
  'journal.states': states,
  'journal.estimate_subjects': ({ view }) =>
    rows([{ subjects: view.all('subjects').filter(({ version }) => version > 0).length }]),
  'journal.last_of': lastOf,
  'journal.age_after': ({ view, params: [after], now }) => {
    const later = view.all('journal').filter(({ position }) => position > Number(after));
    const [first] = sortedBy(later, ({ position }) => position);
    return first ? rows([{ age_ms: now - first.recorded_at }]) : NO_ROWS;
  },
  'journal.head': ({ view }) => rows([{ head: headOf(view) }]),
};
