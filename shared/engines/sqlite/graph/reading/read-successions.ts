/** Follows superseding associations from old memories to new ones. */
import { SUPERSEDING_TYPES, type SupersedingType } from '../../../../contract/association.js';
import type { MemoryId } from '../../../../contract/memory.js';
import { type Succession, SUCCESSORS_READ } from '../../../../ports/graph.js';
import type { SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';

type Request = { readonly ids: readonly MemoryId[]; readonly hops: number };

/** The most successions in one read: 500 candidates of a recall mostly have some dozens. */
const SUCCESSIONS_READ = 5_000;

const TYPES = SUPERSEDING_TYPES.map((type) => `'${type}'`).join(', ');

/** Whether any superseding association leads away from `memories AS m`: one seek for each type. */
export const SUPERSEDES = SUPERSEDING_TYPES.map(
  (type) => `EXISTS (SELECT 1 FROM associations AS a WHERE a.source = m.n AND a.type = '${type}')`,
).join(' OR ');

const START = 'SELECT n FROM memories WHERE id = ? AND present = 1';
/** CROSS JOIN fixes the order of the joins: in the order that SQLite chooses, it scans all associations. */
const NEWEST = `SELECT s.id AS source, t.id AS target, t.n, a.type, a.strength, a.updated_at, t.archived, t.t_valid, t.t_invalid
  FROM (
    SELECT * FROM associations INDEXED BY associations_superseding WHERE source = ?1 AND type IN (${TYPES})
    ORDER BY updated_at DESC, target LIMIT ${SUCCESSORS_READ}
  ) AS a CROSS JOIN memories AS s ON s.n = a.source CROSS JOIN memories AS t ON t.n = a.target AND t.present = 1`;

/** Visits each memory once, so a cycle ends, and those reached first by the fewest associations. */
export const readSuccessions = procedure(
  import.meta.url,
  'readSuccessions',
  (database, { ids, hops }: Request): Succession[] => {
    const found: SqlRow[] = [];
    const seen = new Set<unknown>();
    let leading = ids.flatMap((id) => database.get(START, [id])?.['n'] ?? []);
    for (let hop = 0; hop < hops && leading.length > 0; hop += 1) {
      const reached: typeof leading = [];
      for (const n of leading) {
        if (seen.has(n) || found.length >= SUCCESSIONS_READ) continue;
        seen.add(n);
        const rows = database.all(NEWEST, [n]);
        found.push(...rows);
        reached.push(...rows.flatMap((row) => row['n'] ?? []));
      }
      leading = reached;
    }
    return found.slice(0, SUCCESSIONS_READ).map(successionOf);
  },
);

function successionOf(row: SqlRow): Succession {
  const { t_valid: valid, t_invalid: invalid } = row;
  return {
    source: row['source'] as MemoryId,
    target: row['target'] as MemoryId,
    type: row['type'] as SupersedingType,
    strength: Number(row['strength']),
    updated_at: String(row['updated_at']),
    targetState: {
      ...(row['archived'] === 1 ? { archived: true } : {}),
      ...(typeof valid === 'string' ? { t_valid: valid } : {}),
      ...(typeof invalid === 'string' ? { t_invalid: invalid } : {}),
    },
  };
}
