/** Query plans of SQLite on a full graph: no read may scan a table that grows with the memories. */
import { expect } from 'chai';
import { createSqliteGraphInspector } from '../../../../shared/engines/sqlite/graph/sqlite-graph-inspector.js';
import { createSqliteGraphReader } from '../../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../../../shared/engines/sqlite/graph/sqlite-graph-scan.js';
import { createSqliteGraphWriter } from '../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../../shared/engines/sqlite/schema/graph.js';
import type { SqlValue } from '../../../../shared/engines/sqlite/threads/database.js';
import type { SqliteHost } from '../../../../shared/engines/sqlite/threads/host.js';
import { type OpenDatabase, openDatabase } from '../../../../shared/engines/sqlite/threads/open-database.js';
import { openTemporaryHost, type TemporaryHost } from '../../../support/adapters/sqlite.js';
import { graphOf, READS } from './graph-reads.js';

const MEMORIES = 1_000;

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'";

describe('SQLite query plans', () => {
  let opened: TemporaryHost;
  let database: OpenDatabase;
  /** The tables that grow with the memories. */
  let tables: ReadonlySet<string>;
  /** The statements of the reads since the last test, with the parameters of their first run. */
  const statements = new Map<string, readonly SqlValue[]>();
  before(async () => {
    opened = await openTemporaryHost([graphMigrations]);
    const writer = createSqliteGraphWriter(opened);
    for (const events of graphOf(MEMORIES)) await writer.apply(events);
    database = openDatabase(opened.file, { busyTimeoutMs: 1_000 });
    const names = database.all(TABLES).map(({ name }) => String(name));
    const rowsOf = (name: string): unknown => database.get(`SELECT count(*) AS rows FROM ${name}`)?.['rows'];
    tables = new Set(names.filter((name) => Number(rowsOf(name)) >= MEMORIES / 2));
    expect([...tables]).to.include.members(['memories', 'memory_bodies', 'associations']);
  });
  beforeEach(() => statements.clear());
  after(async () => {
    database.close();
    await opened.remove();
  });

  function recorded(sql: string, params: readonly SqlValue[] = []): void {
    if (!statements.has(sql)) statements.set(sql, params);
  }

  const host: Pick<SqliteHost, 'read' | 'openReader'> = {
    read: async ({ run }, args) =>
      run(
        {
          ...database,
          all: (sql, params) => (recorded(sql, params), database.all(sql, params)),
          get: (sql, params) => (recorded(sql, params), database.get(sql, params)),
        },
        args,
      ),
    openReader: async () => ({ read: host.read, close: async () => undefined }),
  };

  /** The steps that read a whole table, and not in the order of an index. */
  function scans(): readonly string[] {
    return [...statements].flatMap(([sql, params]) => {
      const names = new Map([...sql.matchAll(/\b(\w+) AS (\w+)/gu)].map(([, table, alias]) => [alias, table]));
      const isTable = (name = ''): boolean => tables.has(names.get(name) ?? name);
      return database
        .all(`EXPLAIN QUERY PLAN ${sql}`, params)
        .map(({ detail }) => String(detail))
        .filter((detail) => isTable(/^SCAN (\w+)$/u.exec(detail)?.[1]))
        .map((detail) => `${detail}: ${sql}`);
    });
  }

  for (const [name, read] of Object.entries(READS)) {
    it(`read through indexes: ${name}`, async () => {
      await read(
        createSqliteGraphReader({ host }),
        createSqliteGraphScan({ host }),
        createSqliteGraphInspector({ host }),
      );
      expect(statements.size).to.be.greaterThan(0);
      expect(scans()).to.deep.equal([]);
    });
  }
});
