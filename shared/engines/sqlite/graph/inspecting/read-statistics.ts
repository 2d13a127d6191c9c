/** Reads statistics of the whole graph: from counts that are kept with each write, and from ranges of indexes. */
import type { AssociationType } from '../../../../contract/association.js';
import type { Memory, Timestamp } from '../../../../contract/memory.js';
import {
  CONFIDENCE_SAMPLE,
  type GraphSpread,
  type GraphTotals,
  type Preference,
} from '../../../../ports/graph-inspector.js';
import type { SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { ASSOCIATION_COLUMNS, loadedAssociation } from '../schema/rows.js';

export const readTotals = procedure(import.meta.url, 'readTotals', (database, _args: null): GraphTotals => ({
  memories: new Map(
    database
      .all('SELECT type, memories FROM memory_counts WHERE memories > 0')
      .map(({ type, memories }) => [String(type), Number(memories)]),
  ),
  associations: new Map(
    database
      .all('SELECT type, associations FROM association_type_counts WHERE associations > 0')
      .map(({ type, associations }) => [type as AssociationType, Number(associations)]),
  ),
}));

const FROM_IMPORTANCE =
  'SELECT count(*) AS memories FROM memories INDEXED BY memories_by_importance WHERE present = 1 AND importance >= ?';
const BY_DATE = `SELECT substr(timestamp, 1, 10) AS date, count(*) AS memories FROM memories INDEXED BY memories_by_timestamp
  WHERE present = 1 AND timestamp >= ? AND timestamp < ? GROUP BY date`;

type Spread = { readonly importances: readonly number[]; readonly from: Timestamp; readonly until: Timestamp };

export const readSpread = procedure(
  import.meta.url,
  'readSpread',
  (database, { importances, from, until }: Spread): GraphSpread => ({
    fromImportance: importances.map((importance) => Number(database.get(FROM_IMPORTANCE, [importance])?.['memories'])),
    byDate: new Map(database.all(BY_DATE, [from, until]).map(({ date, memories }) => [String(date), Number(memories)])),
  }),
);

/** The most important of each type, which come first in the index. */
const CONFIDENCE = `SELECT avg(json_extract(b.body, '$.confidence')) AS average FROM (
    SELECT n FROM memories INDEXED BY memories_by_type WHERE present = 1 AND type = ?
    ORDER BY importance DESC, timestamp DESC, id LIMIT ${CONFIDENCE_SAMPLE}
  ) AS m JOIN memory_bodies AS b ON b.n = m.n`;

export const readConfidences = procedure(
  import.meta.url,
  'readConfidences',
  (database, _args: null): ReadonlyMap<string, number> =>
    new Map(
      database.all('SELECT type FROM memory_counts WHERE memories > 0').flatMap(({ type }) => {
        const average = database.get(CONFIDENCE, [type ?? null])?.['average'];
        return typeof average === 'number' ? [[String(type), average] as const] : [];
      }),
    ),
);

const PREFERENCES = `SELECT ${ASSOCIATION_COLUMNS}, sb.body AS source_body, s.last_accessed AS source_accessed, tb.body AS target_body, t.last_accessed AS target_accessed
  FROM associations AS a INDEXED BY associations_preferring
  JOIN memories AS s ON s.n = a.source JOIN memories AS t ON t.n = a.target
  JOIN memory_bodies AS sb ON sb.n = s.n JOIN memory_bodies AS tb ON tb.n = t.n
  WHERE a.type = 'PREFERS_OVER' AND s.present = 1 AND t.present = 1 ORDER BY a.strength DESC, s.id, t.id LIMIT ?`;

export const readPreferences = procedure(import.meta.url, 'readPreferences', (database, limit: number): Preference[] =>
  database.all(PREFERENCES, [limit]).map((row) => ({
    association: loadedAssociation(row).association,
    prefers: memoryOf(row, 'source'),
    over: memoryOf(row, 'target'),
  })),
);

/** The cast is safe because `apply` wrote the body from a validated event. */
function memoryOf(row: SqlRow, end: 'source' | 'target'): Memory {
  const body = JSON.parse(String(row[`${end}_body`])) as Omit<Memory, 'last_accessed'>;
  return { ...body, last_accessed: String(row[`${end}_accessed`]) };
}
