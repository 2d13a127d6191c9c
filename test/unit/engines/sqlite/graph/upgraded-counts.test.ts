/** A graph of an earlier release gets its counts of associations and its order by type with the migration. */
import { expect } from 'chai';
import { createSqliteGraphInspector } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-inspector.js';
import { createSqliteGraphWriter } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../../../shared/engines/sqlite/schema/graph.js';
import { openTemporaryHost } from '../../../../support/adapters/sqlite.js';
import { leaveMetadataUnsearched } from '../../../../support/adapters/sqlite-procedures.js';
import { associated, association, memory, memoryId, stored } from '../../../../support/fixtures/memories.js';

describe('a SQLite graph of an earlier release', () => {
  it('has counts and an order by type after the migration', async () => {
    let temporary = await openTemporaryHost([graphMigrations]);
    try {
      await createSqliteGraphWriter({ host: temporary.host }).apply([
        ...[1, 2, 3].map((number) => stored(memory(number, { type: number === 3 ? 'Insight' : 'Context' }))),
        associated(association(1, 2)),
        associated(association(1, 3)),
        associated(association(2, 3, { type: 'PART_OF' })),
      ]);
      await temporary.host.write(leaveMetadataUnsearched, null);
      temporary = await temporary.reopen();
      const inspector = createSqliteGraphInspector({ host: temporary.host });
      expect(Object.fromEntries((await inspector.totals()).associations)).to.deep.equal({ RELATES_TO: 2, PART_OF: 1 });
      const selection = { types: ['Insight'], minImportance: 0, since: null };
      const found = await inspector.mostImportant({ ...selection, after: null, limit: 9 });
      expect(found.map(({ id }) => id)).to.deep.equal([memoryId(3)]);
    } finally {
      await temporary.remove();
    }
  });
});
