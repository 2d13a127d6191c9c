import { expect } from 'chai';
import { createSqliteGraphReader } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../../../shared/engines/sqlite/schema/graph.js';
import { DependencyError } from '../../../../../shared/kernel/errors.js';
import { openTemporaryHost, type TemporaryHost } from '../../../../support/adapters/sqlite.js';
import { fillUntilFull, notesMigrations } from '../../../../support/adapters/sqlite-procedures.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { memory, memoryId, stored } from '../../../../support/fixtures/memories.js';

describe('SQLite graph errors', () => {
  let temporary: TemporaryHost;
  beforeEach(async () => (temporary = await openTemporaryHost([graphMigrations, notesMigrations])));
  afterEach(() => temporary.remove());

  it('report an unavailable graph and keep the cause when the host fails', async () => {
    const { host } = temporary;
    await host.close();
    const reader = createSqliteGraphReader({ host });
    for (const call of [
      reader.ping(),
      reader.memories([memoryId(1)]),
      createSqliteGraphWriter({ host }).recordAccess([memoryId(1)], ''),
    ]) {
      const error = await rejection(call);
      expect(error).to.be.instanceOf(DependencyError).with.property('dependency', 'graph');
      expect(error.message).to.equal('Graph database unavailable');
      expect(error.cause).to.be.instanceOf(DependencyError).with.property('dependency', 'journal');
    }
  });

  it('report full storage when that is the cause', async () => {
    const { host } = temporary;
    await rejection(host.write(fillUntilFull, null));
    const large = Array.from({ length: 200 }, (_, index) => stored(memory(index, { content: 'long '.repeat(400) })));
    const error = await rejection(createSqliteGraphWriter({ host }).apply(large));
    expect(error).to.be.instanceOf(DependencyError).with.property('dependency', 'graph');
    expect(error.message).to.match(/^Storage is full/);
    expect((await createSqliteGraphReader({ host }).counts({ excludedTypes: [] })).memories).to.equal(0);
  });

  it('pass a programming error in a call through unchanged', async () => {
    const reader = createSqliteGraphReader({ host: temporary.host });
    expect(await rejection(reader.memories([undefined as never])))
      .to.be.instanceOf(Error)
      .and.not.instanceOf(DependencyError);
  });
});
