/**
 * The mark of the graph in Neo4j. The identity of the journal is a property of the node that also holds the version of
 * the schema. The applied position is the highest of MARK_SLOTS nodes. Each running transaction moves one of its own,
 * because a transaction keeps the lock of its node until its commit ends, which takes seconds on a server that has just
 * started, and longer when its process stops meanwhile. The others must not wait for it.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { JournalMark } from '../../contract/envelope.js';
import { DependencyError } from '../../kernel/errors.js';
import type { GraphMark, MarkMemory, MarkNode } from '../../ports/graph-mark.js';
import type { Neo4j, Row, Statement } from './neo4j.js';

/**
 * Two of four processes have the same first node in one of eleven deployments, and more often the same one while they
 * run several transactions. Then the two wait for each other's commits, and the position from which a graph that was
 * put back lacks events may be too high. A replay brings it to the state of the journal whatever that position is.
 */
const MARK_SLOTS = 64;
const SLOTS = Array.from({ length: MARK_SLOTS }, (_, slot) => slot);

const SCHEMA_NODE = `MATCH (v:GraphSchema {name: 'graph'})`;
/** The names of the nodes begin with it. They have the label of the schema node, and so the index of its names. */
export const APPLIED = 'applied-';
const READ = `${SCHEMA_NODE} WHERE v.journal_id IS NOT NULL
  MATCH (applied:GraphSchema) WHERE applied.name STARTS WITH '${APPLIED}'
  RETURN v.journal_id AS journalId, v.replay_id AS replayId, applied.position AS position, applied.event_id AS eventId,
    applied.name AS name, coalesce(applied.changes, 0) AS changes
  ORDER BY position DESC`;
const BEGIN = `${SCHEMA_NODE} SET v.locked = true
  WITH v WHERE v.journal_id IS NULL
  SET v.journal_id = $given.journalId, v.mark_id = $given.markId
  WITH v UNWIND $given.names AS name
  MERGE (applied:GraphSchema {name: name})
  SET applied.position = toInteger($given.position), applied.event_id = $given.eventId`;
/** The changes are counted after the lock is taken, because two processes may move the same node. */
export const ADVANCE = `${SCHEMA_NODE} MATCH (applied:GraphSchema {name: $given.name}) SET applied.locked = true
  SET applied.changes = coalesce(applied.changes, 0) + 1
  WITH v, applied, applied.position AS before, applied.changes <= $given.changes AS isPutBack
  WITH applied, before, isPutBack, coalesce(v.journal_id <> $given.journalId, false) AS isForeign,
    before < $given.position AND CASE WHEN $given.isReplay THEN v.replay_id IS NOT NULL ELSE
      NOT isPutBack AND (before >= $given.expected OR EXISTS {
        MATCH (other:GraphSchema) WHERE other.name STARTS WITH '${APPLIED}' AND other.position >= $given.expected
      }) END AS moves
  FOREACH (each IN CASE WHEN moves THEN [applied] ELSE [] END |
    SET each.position = toInteger($given.position), each.event_id = $given.eventId)
  RETURN isForeign, moves, before, isPutBack, applied.changes AS changes`;
const BEGIN_REPLAY = `${SCHEMA_NODE} SET v.replay_id = $given.replayId`;
const END_REPLAY = `${SCHEMA_NODE} SET v.locked = true
  WITH v WHERE v.replay_id = $given.replayId REMOVE v.replay_id RETURN true AS hasEnded`;
const HAS_SUBJECTS = 'MATCH (s:Subject) RETURN true AS found LIMIT 1';

export function createNeo4jGraphMark({ neo4j }: { readonly neo4j: Pick<Neo4j, 'read' | 'write'> }): GraphMark {
  return {
    read: async () => {
      const rows = await neo4j.read({ text: READ, given: {} });
      const [row] = rows;
      if (row === undefined) return null;
      const { journalId, replayId } = row;
      return {
        journalId: String(journalId),
        ...appliedIn(row),
        nodes: new Map(rows.map((node) => [String(node['name']), nodeIn(node)])),
        replayId: typeof replayId === 'string' ? replayId : null,
      };
    },
    begin: (mark) => {
      const names = SLOTS.map((slot) => APPLIED + slot);
      return neo4j.write([{ text: BEGIN, given: { ...mark, markId: randomUUID(), names } }]);
    },
    beginReplay: (replayId) => neo4j.write([{ text: BEGIN_REPLAY, given: { replayId } }]),
    endReplay: async (replayId) => {
      let hasEnded = false;
      const check = (rows: readonly Row[]): void => {
        hasEnded = rows.length > 0;
      };
      await neo4j.write([{ text: END_REPLAY, given: { replayId }, check }]);
      return hasEnded;
    },
    hasSubjects: async () => (await neo4j.read({ text: HAS_SUBJECTS, given: {} })).length > 0,
  };
}

/**
 * What one member of a cluster has: for each node of the mark, how many transactions moved it. Each transaction that
 * applies events counts in one of them, so a member with no smaller count lacks none of them.
 */
export type Reached = {
  /** Changes when a graph was emptied and marked again, because its counts begin again. */
  readonly graph: string;
  readonly changes: ReadonlyMap<string, number>;
};

/** A server of an earlier release has marked its graph without `mark_id`. */
export const REACHED = `${SCHEMA_NODE} WHERE v.journal_id IS NOT NULL
  RETURN v.journal_id + coalesce(v.mark_id, '') AS graph, COLLECT {
    MATCH (applied:GraphSchema) WHERE applied.name STARTS WITH '${APPLIED}' AND applied.changes IS NOT NULL
    RETURN [applied.name, applied.changes] } AS changes`;

/** From the rows of REACHED. Null for a graph that has no mark. */
export function reachedIn([row]: readonly Row[]): Reached | null {
  if (row === undefined) return null;
  return { graph: String(row['graph']), changes: new Map(row['changes'] as [string, number][]) }; // as REACHED collects them
}

/** True when the member has every transaction that the leader had. Pure. */
export function hasReached(member: Reached | null, leader: Reached): boolean {
  return (
    member?.graph === leader.graph &&
    [...leader.changes].every(([name, changes]) => (member.changes.get(name) ?? 0) >= changes)
  );
}

type Applied = Pick<JournalMark, 'position' | 'eventId'>;

function appliedIn({ position, eventId }: Row): Applied {
  return { position: Number(position), eventId: typeof eventId === 'string' ? eventId : null };
}

function nodeIn(row: Row): MarkNode {
  return { ...appliedIn(row), changes: Number(row['changes']) };
}

/** Moves the mark for one process, and remembers what it moved. */
export type MarkMover = MarkMemory & {
  /**
   * Runs a transaction whose last statement moves the mark to the last of its events. The statement has no effect on a
   * graph without a mark, or with an unexpected one. In a graph of another journal it rolls the transaction back. A
   * replay moves any mark of a graph that has the note of a replay, and no other. Rejects as the transaction does.
   */
  readonly advance: (
    last: { readonly position: number; readonly id: string; readonly isReplay?: boolean },
    transaction: (statement: Statement) => Promise<void>,
  ) => Promise<void>;
};

const FOREIGN =
  'The graph belongs to another history of the journal than this process: nothing was written. Restart the process';

/** Below every count: a process that knows none expects none. */
const UNKNOWN = -1;

/**
 * The statement is the last one of its transaction, so that the lock lasts only until the commit. Transactions at the
 * same time move different nodes: Neo4j does not queue the waiters for a lock, and of 16 transactions that moved the
 * same node, some waited until they timed out. `slot`: the number of the first node, which a process moves that has one
 * transaction at a time.
 */
export function createMarkMover(slot = randomInt(MARK_SLOTS)): MarkMover {
  const names = SLOTS.map((each) => APPLIED + ((slot + each) % MARK_SLOTS));
  const moving = new Set<string>();
  let expected = 0;
  /** Of each node that this process moved. */
  const known = new Map<string, number>();
  /** Where a node of this process was when a transaction found fewer changes than this process knows. */
  let foundPutBackAt = Infinity;
  /** Of the first mark that was seen. A process follows one history of the journal. */
  let journalId: string | null = null;
  return {
    advance: async ({ position, id, isReplay = false }, transaction) => {
      const name = names.find((each) => !moving.has(each)) ?? APPLIED + slot;
      let moves = false;
      let counted = UNKNOWN;
      const changes = known.get(name) ?? UNKNOWN;
      moving.add(name);
      try {
        await transaction({
          text: ADVANCE,
          given: { name, position, eventId: id, expected, changes, journalId, isReplay },
          check: ([row]) => {
            if (row?.['isForeign'] === true) throw new DependencyError('graph', FOREIGN);
            moves = row?.['moves'] === true;
            counted = row ? Number(row['changes']) : UNKNOWN;
            if (row?.['isPutBack'] === true) foundPutBackAt = Math.min(foundPutBackAt, Number(row['before']));
          },
        });
      } finally {
        moving.delete(name);
      }
      if (moves) expected = Math.max(expected, position);
      known.set(name, Math.max(known.get(name) ?? UNKNOWN, counted));
    },
    compare: () => {
      const before = { expected, changes: new Map(known) };
      return (mark) => {
        const putBack = [...before.changes].flatMap(([name, changes]) => {
          const own = mark.nodes.get(name);
          return own && own.changes < changes ? [own.position] : [];
        });
        const from = Math.min(foundPutBackAt, mark.position < before.expected ? mark.position : Infinity, ...putBack);
        return from === Infinity ? null : from;
      };
    },
    expect: (mark) => {
      journalId ??= mark.journalId;
      expected = Math.max(expected, mark.position);
    },
    forget: () => {
      expected = 0;
      known.clear();
      foundPutBackAt = Infinity;
    },
  };
}
