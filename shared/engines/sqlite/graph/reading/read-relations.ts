/** Reads the associations of each memory, with the memories at their other ends or without. */
import {
  ASSOCIATION_TYPES,
  type AssociationKey,
  type AssociationType,
  OWNED_TYPES,
} from '../../../../contract/association.js';
import { RELATIONS_READ } from '../../../../contract/limits.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { GraphReader, Relation, RelationsRequest, Step } from '../../../../ports/graph.js';
import { summarize } from '../../../../text/summarize.js';
import type { Database, SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { loadedMemory, MEMORY_COLUMNS, propertiesOf } from '../schema/rows.js';
import { isRowWithin } from '../schema/tag-keys.js';

type Steps = Omit<RelationsRequest, 'direction'>;

export const readRelations = procedure(
  import.meta.url,
  'readRelations',
  (database, request: RelationsRequest): Map<MemoryId, Relation[]> =>
    mapped(rowsOf(database, request, WITH_MEMORY), relationOf),
);

export const readSteps = procedure(import.meta.url, 'readSteps', (database, request: Steps): Map<MemoryId, Step[]> =>
  mapped(rowsOf(database, { ...request, direction: 'both' }, ALONE), stepOf),
);

/** The limit bounds the read of a hub. */
const AMONG = `SELECT a.type, t.id AS target FROM (
    SELECT type, target FROM associations
    WHERE source = (SELECT n FROM memories WHERE id = ?1 AND present = 1) AND type IN (SELECT value FROM json_each(?2)) LIMIT 2000
  ) AS a CROSS JOIN memories AS t ON t.n = a.target
  WHERE t.present = 1 AND t.id IN (SELECT value FROM json_each(?3))`;

export const readAmong = procedure(
  import.meta.url,
  'readAmong',
  (database, { ids, types }: Parameters<GraphReader['among']>[0]): AssociationKey[] => {
    const all = [...new Set(ids)];
    return all.flatMap((source) =>
      database
        .all(AMONG, [source, JSON.stringify(types), JSON.stringify(all)])
        .map(({ type, target }) => ({ source, type, target }) as AssociationKey),
    );
  },
);

function mapped<T>(rows: ReadonlyMap<MemoryId, readonly SqlRow[]>, read: (row: SqlRow) => T): Map<MemoryId, T[]> {
  return new Map([...rows].map(([id, found]) => [id, found.map(read)]));
}

/** What a statement selects of the associations that it found, which are in the table `nearest`. */
type Selected = { readonly columns: string; readonly text: string };

/** Reads only the bodies that remain. With JOIN, SQLite would scan all memories and look each one up in `nearest`. */
const WITH_MEMORY: Selected = {
  columns: 'a.created_at, a.properties',
  text: `SELECT nearest.*, ${MEMORY_COLUMNS} FROM nearest CROSS JOIN memories AS m ON m.n = nearest.other CROSS JOIN memory_bodies AS b ON b.n = m.n`,
};
const ALONE: Selected = { columns: 'o.importance, o.timestamp', text: 'SELECT * FROM nearest' };

function rowsOf(database: Database, request: RelationsRequest, selected: Selected): Map<MemoryId, SqlRow[]> {
  const hubs = hubsAmong(database, request);
  const types = request.types ? JSON.stringify(request.types) : null;
  const excluded = JSON.stringify(request.excludedTypes ?? []);
  const given = [types, request.limit, request.minStrength ?? 0, excluded, request.within ?? null];
  return new Map(
    request.ids.map((id) => [
      id,
      hubs.has(id)
        ? database.all(ofHub(request, selected), [id, ...given, Math.max(request.limit, RELATIONS_READ)])
        : database.all(ofOne(request, selected), [id, ...given]),
    ]),
  );
}

/** Counts in one index, up to the limit. */
const HUBS = `SELECT m.id FROM json_each(?1) AS one CROSS JOIN memories AS m ON m.id = one.value
  WHERE (SELECT count(*) FROM (SELECT 1 FROM associations WHERE source = m.n LIMIT ?2))
    + (SELECT count(*) FROM (SELECT 1 FROM associations WHERE target = m.n LIMIT ?2)) >= ?2`;

/** The memories with more than RELATIONS_READ associations. */
function hubsAmong(database: Database, { ids }: Pick<RelationsRequest, 'ids'>): ReadonlySet<unknown> {
  return new Set(database.all(HUBS, [JSON.stringify(ids), RELATIONS_READ + 1]).map(({ id }) => id));
}

type Direction = Relation['direction'];

const ENDS = {
  outgoing: { here: 'source', there: 'target' },
  incoming: { here: 'target', there: 'source' },
} as const satisfies Readonly<Record<Direction, unknown>>;

const ORDER = (table: string): string =>
  ['derived', 'updated_at DESC', 'type', 'other_id', 'direction DESC'].map((key) => `${table}.${key}`).join(', ');

function ofOne(request: RelationsRequest, selected: Selected): string {
  const found = directionsOf(request).map((direction) =>
    end(direction, `associations AS a ON a.${ENDS[direction].here} = self.n`, selected),
  );
  return nearestOf(found.join(' UNION ALL '), selected);
}

/** The filter comes after the index, so that a filter that admits little does not read the whole hub either. */
function ofHub(request: RelationsRequest, selected: Selected): string {
  const found = directionsOf(request).map((direction) =>
    end(direction, `(${strongest(direction, request)}) AS a`, selected),
  );
  return nearestOf(
    `SELECT * FROM (${found.join(' UNION ALL ')}) ORDER BY derived, strength DESC, updated_at DESC LIMIT ?7`,
    selected,
  );
}

/** Sorts and limits narrow rows. Otherwise the sort would carry the bodies of all neighbours. */
function nearestOf(found: string, { text }: Selected): string {
  return `WITH self AS MATERIALIZED (SELECT n FROM memories AS m WHERE id = ?1 AND present = 1 AND ${isRowWithin('m.n', '?6')}),
    found AS (${found}),
    nearest AS (SELECT * FROM found ORDER BY ${ORDER('found')} LIMIT ?3)
    ${text} ORDER BY ${ORDER('nearest')}`;
}

function directionsOf({ direction }: RelationsRequest): readonly Direction[] {
  return direction === 'outgoing' ? ['outgoing'] : ['outgoing', 'incoming'];
}

function end(direction: Direction, associations: string, { columns }: Selected): string {
  return `SELECT '${direction}' AS direction, a.type AS type, a.strength, a.updated_at AS updated_at, a.derived AS derived, o.n AS other, o.id AS other_id, ${columns}
    FROM self CROSS JOIN ${associations} CROSS JOIN memories AS o ON o.n = a.${ENDS[direction].there}
    WHERE o.present = 1 AND (?2 IS NULL OR a.type IN (SELECT value FROM json_each(?2))) AND a.strength >= ?4
      AND o.type NOT IN (SELECT value FROM json_each(?5)) AND ${isRowWithin('o.n', '?6')}`;
}

/** Of each type the strongest associations of `self`, each from the part of an index that has them in this order. */
function strongest(direction: Direction, { types = ALL_TYPES }: RelationsRequest): string {
  const { here, there } = ENDS[direction];
  const part = (derived: 0 | 1, type: AssociationType): string =>
    `SELECT * FROM (SELECT * FROM associations WHERE ${here} = (SELECT n FROM self) AND derived = ${derived} AND type = '${type}' AND strength >= ?4
      ORDER BY strength DESC, ${there} DESC LIMIT ?7)`;
  const owned = types.filter((type) => OWNED_TYPES.some((one) => one === type));
  return [...types.map((type) => part(0, type)), ...owned.map((type) => part(1, type))].join(' UNION ALL ');
}

const ALL_TYPES = Object.keys(ASSOCIATION_TYPES) as AssociationType[];

function relationOf(row: SqlRow): Relation {
  return {
    type: row['type'] as AssociationType,
    direction: row['direction'] as Relation['direction'],
    strength: Number(row['strength']),
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
    properties: propertiesOf(row),
    memory: summarize(loadedMemory(row).memory),
  };
}

function stepOf(row: SqlRow): Step {
  return {
    type: row['type'] as AssociationType,
    direction: row['direction'] as Relation['direction'],
    strength: Number(row['strength']),
    memory: {
      id: String(row['other_id']),
      importance: Number(row['importance']),
      timestamp: String(row['timestamp']),
    },
  };
}
