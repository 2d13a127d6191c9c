/** Compares rows of the real Postgres with rows of its model, by the columns that the real one has. */
import { expect } from 'chai';

type Row = Readonly<Record<string, unknown>>;
type Compared = { readonly real: readonly Row[]; readonly model: readonly object[]; readonly isOrdered: boolean };

export interface Comparison {
  /** Throws with `what` and the first difference. */
  readonly expectEqualRows: (what: string, rows: Compared) => void;
}

/** Columns without a meaning, and columns that no modelled statement reads. */
const IGNORED: ReadonlySet<string> = new Set(['pg_notify', 'only_row', 'unused_since', 'relay_epoch.id']);
/** Both databases run a statement at nearly the same time. */
const TOLERANCE_MS = 2_000;
const AGE = /_ms$/u;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+/gu;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

export function createComparison(): Comparison {
  /** The random ids of the real database, with those of the model that appeared in their places. */
  const sameIds = new Map<string, string>();

  /** The value of the model, or the real value where the two mean the same. */
  function translated(column: string, real: unknown, model: unknown): unknown {
    if (typeof real === 'number' && typeof model === 'number' && AGE.test(column)) return near(real, model);
    if (real instanceof Date) return near(real.getTime(), Number(model)) === real.getTime() ? real : model;
    if (real instanceof Uint8Array && model instanceof Uint8Array) return Buffer.from(model);
    if (typeof real !== 'string' || typeof model !== 'string' || real === model) return model;
    if (column === 'id' && UUID.test(real) && UUID.test(model)) return isSameId(real, model) ? real : model;
    return real.replaceAll(TIME, shapeOf) === model.replaceAll(TIME, shapeOf) ? real : model;
  }

  function isSameId(real: string, model: string): boolean {
    const isNew = !sameIds.has(real) && ![...sameIds.values()].includes(model);
    if (isNew) sameIds.set(real, model);
    return sameIds.get(real) === model;
  }

  return {
    expectEqualRows: (what, { real, model, isOrdered }) => {
      const wanted = real.map((row) => columnsOf(row, what)).filter((row) => Object.keys(row).length > 0);
      const columns = Object.keys(wanted[0] ?? {});
      const given = model
        .map((row) => pick(row as Row, columns))
        .filter((row) => columns.length === 0 || Object.keys(row).length > 0);
      const [left, right] = isOrdered ? [wanted, given] : [sorted(wanted), sorted(given)];
      const found = right.map((row, index) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, translated(name, left[index]?.[name], value)]),
        ),
      );
      expect(found, `${what}: rows of the model, compared with those of Postgres`).to.deep.equal(left);
    },
  };
}

const near = (real: number, model: number): number => (Math.abs(real - model) <= TOLERANCE_MS ? real : model);

/** Keeps the length, so that both must have the same precision. */
const shapeOf = (time: string): string => time.replaceAll(/\d/gu, '0');

function columnsOf(row: Row, what: string): Row {
  const table = what.replace('table ', '');
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !IGNORED.has(name) && !IGNORED.has(`${table}.${name}`)),
  );
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.filter((name) => name in row).map((name) => [name, row[name]]));
}

/** By the values that are equal in both: neither times nor random ids. */
function sorted(rows: readonly Row[]): readonly Row[] {
  const textOf = (row: Row): string =>
    JSON.stringify(
      Object.entries(row).filter(([name, value]) => !(value instanceof Date) && !AGE.test(name) && !TIMES.has(name)),
    );
  return [...rows].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

const TIMES: ReadonlySet<string> = new Set([
  'recorded_at',
  'lease_until',
  'next_attempt_at',
  'at',
  'heartbeat_at',
  'state',
]);
