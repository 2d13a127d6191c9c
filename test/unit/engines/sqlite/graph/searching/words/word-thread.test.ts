/** The keyword search of the word thread after writes of every kind and at any time. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../../../../../shared/contract/filter.js';
import type { Memory } from '../../../../../../../shared/contract/memory.js';
import { createWordThread } from '../../../../../../../shared/engines/sqlite/graph/searching/words/word-thread.js';
import { createSqliteGraphReader } from '../../../../../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../../../../../shared/engines/sqlite/schema/graph.js';
import type { SqliteHost } from '../../../../../../../shared/engines/sqlite/threads/host.js';
import { createSqliteHost } from '../../../../../../../shared/engines/sqlite/threads/threaded-host.js';
import type { GraphReader } from '../../../../../../../shared/ports/graph.js';
import { queryTerms } from '../../../../../../../shared/text/analyzer.js';
import { openTemporaryHost, type TemporaryHost } from '../../../../../../support/adapters/sqlite.js';
import { leaveMetadataUnsearched } from '../../../../../../support/adapters/sqlite-procedures.js';
import { rejection } from '../../../../../../support/checks/rejection.js';
import { day, deleted, memory, memoryId, stored, updated } from '../../../../../../support/fixtures/memories.js';
import { seededRandom } from '../../../../../../support/fixtures/random.js';

const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'unarchived',
  now: day(15),
};
/** More than two pages for the loading of words. */
const MANY = 2_300;

describe('SQLite keyword search', () => {
  let temporary: TemporaryHost;
  beforeEach(async () => (temporary = await openTemporaryHost([graphMigrations])));
  afterEach(() => temporary.remove());

  const store = (host: SqliteHost, ...memories: readonly Memory[]): Promise<void> =>
    createSqliteGraphWriter({ host }).apply(memories.map((each) => stored(each)));
  const find = (reader: GraphReader, word: string, limit = MANY): Promise<readonly string[]> =>
    reader.keyword({ terms: queryTerms(word), filter: ALL, limit });

  it('sees every completed write while other writes are running', async () => {
    const reader = createSqliteGraphReader({ host: temporary.host });
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await store(temporary.host, memory(index, { content: `only${index} shared` }));
        expect(await find(reader, `only${index}`)).to.deep.equal([memoryId(index)]);
      }),
    );
    expect(await find(reader, 'shared')).to.have.length(50);
  });

  it('sees writes of another process to the same file', async () => {
    const reader = createSqliteGraphReader({ host: temporary.host });
    await store(temporary.host, memory(1, { content: 'native' }));
    expect(await find(reader, 'native')).to.deep.equal([memoryId(1)]);
    const other = await createSqliteHost({ file: temporary.file, readers: 1, migrations: [graphMigrations] });
    try {
      await createSqliteGraphWriter({ host: other }).apply([
        updated(memory(1, { content: 'foreign' }), 2),
        stored(memory(2, { content: 'also foreign' })),
      ]);
      expect(await find(reader, 'foreign')).to.deep.equal([memoryId(1), memoryId(2)]);
      expect(await find(reader, 'native')).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('finds memories by their newest words and tags, never deleted ones', async () => {
    const reader = createSqliteGraphReader({ host: temporary.host });
    const writer = createSqliteGraphWriter({ host: temporary.host });
    await store(temporary.host, memory(1, { content: 'first', tags: ['early'] }));
    await writer.apply([updated(memory(1, { content: 'second', tags: ['late'] }), 2)]);
    expect(await Promise.all(['first', 'early', 'second', 'late'].map((word) => find(reader, word)))).to.deep.equal([
      [],
      [],
      [memoryId(1)],
      [memoryId(1)],
    ]);
    await writer.apply([deleted(1, 3)]);
    expect(await find(reader, 'second')).to.deep.equal([]);
    await writer.apply([updated(memory(1, { content: 'second' }), 2)]);
    expect(await find(reader, 'second')).to.deep.equal([]);
  });

  it('returns the same hits after a restart, also while words load', async () => {
    const random = seededRandom(4);
    const memories = Array.from({ length: MANY }, (_, index) =>
      memory(index, { content: `note ${random.pick(['apple', 'bread', 'cedar'])}`, importance: random.next() }),
    );
    await store(temporary.host, ...memories);
    await createSqliteGraphWriter({ host: temporary.host }).apply([
      deleted(7, 2),
      updated(memory(8, { content: 'note of cedar' }), 2),
    ]);
    const before = await find(createSqliteGraphReader({ host: temporary.host }), 'cedar', 300);
    expect(before).to.have.length(300);
    temporary = await temporary.reopen();
    const reader = createSqliteGraphReader({ host: temporary.host });
    expect(await find(reader, 'note')).to.have.length(MANY - 1);
    expect(await find(reader, 'cedar', 300)).to.deep.equal(before);
  });

  it('has all words when its load ends', async () => {
    await store(temporary.host, ...Array.from({ length: MANY }, (_, index) => memory(index, { content: 'note' })));
    temporary = await temporary.reopen();
    const mayHaveMore: unknown[] = [];
    const openReader: SqliteHost['openReader'] = async (name) => {
      const thread = await temporary.host.openReader(name);
      return {
        ...thread,
        read: async (called, args) => {
          const result = await thread.read(called, args);
          if (called.name === 'loadWords') mayHaveMore.push(result);
          return result;
        },
      };
    };
    await createWordThread({ host: { openReader } }).load();
    expect(mayHaveMore).to.deep.equal([true, true, false]);
  });

  it('finds memories stored by a release with a full-text index', async () => {
    await store(temporary.host, memory(1, { content: 'old words', tags: ['kept'] }), memory(2, { content: 'gone' }));
    await createSqliteGraphWriter({ host: temporary.host }).apply([deleted(2, 2)]);
    await temporary.host.write(leaveMetadataUnsearched, null);
    temporary = await temporary.reopen();
    const reader = createSqliteGraphReader({ host: temporary.host });
    expect(await Promise.all(['word', 'kept', 'gone'].map((word) => find(reader, word)))).to.deep.equal([
      [memoryId(1)],
      [memoryId(1)],
      [],
    ]);
  });

  it('retries to open its thread after a failure', async () => {
    const { host } = temporary;
    await store(host, memory(1, { content: 'there' }));
    let failures = 0;
    const openReader: SqliteHost['openReader'] = async (name) => {
      if ((failures += 1) === 1) throw new Error('no thread just now');
      return host.openReader(name);
    };
    const reader = createSqliteGraphReader({ host: { read: host.read, openReader } });
    expect((await rejection(find(reader, 'there'))).message).to.equal('no thread just now');
    expect(await find(reader, 'there')).to.deep.equal([memoryId(1)]);
  });

  it('fails after the host closed, and lets a host close while words load', async () => {
    const reader = createSqliteGraphReader({ host: temporary.host });
    await temporary.host.close();
    expect(await rejection(find(reader, 'anything'))).to.include({
      code: 'dependency',
      message: 'Graph database unavailable',
    });
  });
});
