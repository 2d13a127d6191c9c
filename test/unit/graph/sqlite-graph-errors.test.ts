import { expect } from 'chai';
import { createSqliteGraphReader } from '../../../shared/graph/sqlite/create-sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../shared/graph/sqlite/create-sqlite-graph-writer.js';
import { graphMigrations } from '../../../shared/graph/sqlite/migrations.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { memory, memoryId, stored } from '../../support/memories.js';
import { rejection } from '../../support/rejection.js';
import { fillUntilFull, notesMigrations } from '../../support/sqlite-procedures.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/sqlite.js';

describe('the door of the SQLite graph', () => {
  let temporary: TemporaryHost;
  beforeEach(async () => (temporary = await openTemporaryHost([graphMigrations, notesMigrations])));
  afterEach(() => temporary.remove());

  it('says that the graph is unavailable when the host fails, and keeps the cause', async () => {
    const { host } = temporary;
    await host.close();
    const reader = createSqliteGraphReader({ host });
    for (const call of [
      reader.ping(),
      reader.memories([memoryId(1)]),
      createSqliteGraphWriter({ host }).touch([memoryId(1)], ''),
    ]) {
      const error = await rejection(call);
      expect(error).to.be.instanceOf(DependencyError).with.property('dependency', 'graph');
      expect(error.message).to.equal('Graph database unavailable');
      expect(error.cause).to.be.instanceOf(DependencyError).with.property('dependency', 'journal');
    }
  });

  it('says that storage is full where that is why', async () => {
    const { host } = temporary;
    await rejection(host.write(fillUntilFull, null));
    const large = Array.from({ length: 200 }, (_, index) => stored(memory(index, { content: 'long '.repeat(400) })));
    const error = await rejection(createSqliteGraphWriter({ host }).apply(large));
    expect(error).to.be.instanceOf(DependencyError).with.property('dependency', 'graph');
    expect(error.message).to.match(/^Storage is full/);
    expect((await createSqliteGraphReader({ host }).counts({ excludedTypes: [] })).memories).to.equal(0);
  });

  it('lets a mistake in a call through as what it is', async () => {
    const reader = createSqliteGraphReader({ host: temporary.host });
    expect(await rejection(reader.memories([undefined as never])))
      .to.be.instanceOf(Error)
      .and.not.instanceOf(DependencyError);
  });
});
