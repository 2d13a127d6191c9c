import { expect } from 'chai';
import { createLineageReader } from '../../../../../shared/engines/sqlite/graph/reading/lineage-reader.js';
import { createSqliteGraphMark } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-mark.js';
import { createSqliteGraphWriter } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../../../shared/engines/sqlite/schema/graph.js';
import type { SqliteHost } from '../../../../../shared/engines/sqlite/threads/host.js';
import { openTemporaryHost } from '../../../../support/adapters/sqlite.js';
import { day, memory, memoryId, stored } from '../../../../support/fixtures/memories.js';

describe('lineage reader', () => {
  it('shows an access recorded during another read', async () => {
    const { host: opened, remove } = await openTemporaryHost([graphMigrations]);
    try {
      let release = (): void => undefined;
      let held: Promise<void> | null = null;
      const host: SqliteHost = {
        ...opened,
        read: async (called, args) => {
          const result = await opened.read(called, args);
          await held;
          return result;
        },
      };
      await createSqliteGraphMark({ host }).begin({ journalId: memoryId(9), position: 0, eventId: null });
      const writer = createSqliteGraphWriter({ host });
      const read = createLineageReader({ host });
      await writer.apply([stored(memory(1))]);
      await read([memoryId(1)], 5);

      held = new Promise((resolve) => (release = resolve));
      const during = read([memoryId(1)], 5);
      await writer.recordAccess([memoryId(1)], day(20));
      release();
      await during;
      const { memories } = await read([memoryId(1)], 5);
      expect(memories[0]?.memory.last_accessed).to.equal(day(20));
    } finally {
      await remove();
    }
  });
});
