/** Reads a page of memories in the order of importance. */
import type { ImportanceCursor, Selection } from '../../../../ports/graph-inspector.js';
import type { Database, SqlRow, SqlValue } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { MEMORY_COLUMNS } from '../schema/rows.js';

type Page = Selection & { readonly after: ImportanceCursor | null; readonly limit: number };

/**
 * The ranges of the order that follow a cursor, nearest first. Each is one range of the index: as one condition with
 * OR, a page would read all memories of the same importance again, and most memories have the same.
 */
const RANGES = [
  { where: 'm.importance = ?1 AND m.timestamp = ?2 AND m.id > ?3', order: 'm.id' },
  { where: 'm.importance = ?1 AND m.timestamp < ?2', order: 'm.timestamp DESC, m.id' },
  { where: 'm.importance < ?1', order: 'm.importance DESC, m.timestamp DESC, m.id' },
] as const;
/** Before the first memory. */
const START: ImportanceCursor = { importance: 2, timestamp: '', id: '' as ImportanceCursor['id'] };

export const readMostImportant = procedure(
  import.meta.url,
  'readMostImportant',
  (database, { types, after, ...page }: Page): SqlRow[] => {
    const parts = types === null ? [null] : [...new Set(types)];
    const found = parts.flatMap((type) => readOfType(database, { ...page, type, from: after ?? START }));
    const first = (parts.length > 1 ? found.sort(inOrder) : found).slice(0, page.limit);
    return first.flatMap(({ n = null }) => database.all(BODY, [n]));
  },
);

const BODY = `SELECT ${MEMORY_COLUMNS} FROM memories AS m JOIN memory_bodies AS b ON b.n = m.n WHERE m.n = ?`;

type OfType = Pick<Page, 'minImportance' | 'since' | 'limit'> & {
  /** Null for every type. */
  readonly type: string | null;
  readonly from: ImportanceCursor;
};

function readOfType(database: Database, { type, from, minImportance, since, limit }: OfType): SqlRow[] {
  const rows: SqlRow[] = [];
  for (const { where, order } of RANGES) {
    if (rows.length >= limit) break;
    const given: SqlValue[] = [
      from.importance,
      from.timestamp,
      from.id,
      minImportance,
      since ?? '',
      limit - rows.length,
    ];
    const [index, ofType] = type === null ? ['memories_by_importance', ''] : ['memories_by_type', 'm.type = ?7 AND '];
    rows.push(
      ...database.all(
        `SELECT m.n, m.importance, m.timestamp, m.id FROM memories AS m INDEXED BY ${index}
         WHERE ${ofType}m.present = 1 AND ${where} AND m.importance >= ?4 AND m.timestamp >= ?5 ORDER BY ${order} LIMIT ?6`,
        type === null ? given : [...given, type],
      ),
    );
  }
  return rows;
}

function inOrder(one: SqlRow, other: SqlRow): number {
  return (
    Number(other['importance']) - Number(one['importance']) ||
    compare(String(other['timestamp']), String(one['timestamp'])) ||
    compare(String(one['id']), String(other['id']))
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
