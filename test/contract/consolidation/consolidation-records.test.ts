/** The promises of every table of consolidation. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { consolidationMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { ConsolidationRecords, ConsolidationRun } from '../../../shared/ports/consolidation-records.js';
import { openTemporaryHost } from '../../support/adapters/sqlite.js';
import { openTemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

type Opened = { readonly records: ConsolidationRecords; readonly close: () => Promise<void> };

const ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<Opened> }[] = [
  {
    name: 'sqlite',
    open: async () => {
      const { host, remove } = await openTemporaryHost([consolidationMigrations]);
      return { records: sqliteRecords(host).consolidationRecords, close: remove };
    },
  },
  ...(isServerWanted('postgres')
    ? [
        {
          name: 'postgres',
          open: async () => {
            const { postgres, remove } = await openTemporaryPostgres();
            return { records: postgresRecords(postgres).consolidationRecords, close: remove };
          },
        },
      ]
    : []),
];

const at = (day: number): string => `2026-06-${String(day).padStart(2, '0')}T00:00:00+00:00`;
const run = (day: number, tasks: ConsolidationRun['tasks'] = ['decay']): ConsolidationRun => ({
  id: randomUUID(),
  mode: 'scheduled',
  tasks,
  success: true,
  startedAt: at(day),
  completedAt: at(day),
  result: '{"steps":{}}',
});

for (const adapter of ADAPTERS) {
  describe(`records of consolidation: ${adapter.name}`, () => {
    let opened: Opened;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    it('begin with the time of the first start, and keep it', async () => {
      const { records } = opened;
      expect(await records.lastRuns()).to.deep.equal(new Map());
      await records.begin(['decay', 'forget'], at(1));
      await records.begin(['decay', 'cluster'], at(2));
      expect(await records.lastRuns()).to.deep.equal(
        new Map([
          ['decay', at(1)],
          ['forget', at(1)],
          ['cluster', at(2)],
        ]),
      );
    });

    it('record a run once, and move last runs forward only', async () => {
      const { records } = opened;
      await records.begin(['decay', 'forget'], at(1));
      const [later, earlier] = [run(4), run(3)];
      await records.record(later, 10);
      await records.record(later, 10);
      await records.record(earlier, 10);
      expect((await records.lastRuns()).get('decay')).to.equal(at(4));
      expect((await records.lastRuns()).get('forget')).to.equal(at(1));
      expect(await records.history(10)).to.deep.equal([earlier, later]);
    });

    it('keep the newest runs', async () => {
      const { records } = opened;
      const runs = [1, 2, 3, 4].map((day) => run(day, day === 2 ? [] : ['decay', 'forget']));
      for (const one of runs) await records.record(one, 3);
      expect(await records.history(10)).to.deep.equal(runs.slice(1).reverse());
      expect(await records.history(1)).to.deep.equal(runs.slice(3));
    });
  });
}
