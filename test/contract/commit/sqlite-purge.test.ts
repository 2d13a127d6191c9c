/** The removal of expired keys from SQLite, inside the commits of groups. */
import { expect } from 'chai';
import { COMMIT_LIMITS } from '../../../shared/engines/sql/prepare-command.js';
import { createSqliteCommitter } from '../../../shared/engines/sqlite/commit/sqlite-committer.js';
import { commitMigrations } from '../../../shared/engines/sqlite/schema/commit.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { embeddingCacheMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { command } from '../../support/adapters/committers.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { countKeys } from '../../support/adapters/sqlite-procedures.js';
import { stored } from '../../support/fixtures/events.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const GROUP = COMMIT_LIMITS.group.count;

describe('request purge: sqlite', () => {
  let temporary: TemporaryHost;
  beforeEach(async () => {
    temporary = await openTemporaryHost([
      journalMigrations,
      graphMigrations,
      embeddingCacheMigrations,
      commitMigrations,
    ]);
  });
  afterEach(() => temporary.remove());

  it('removes more expired keys with a full group than the group adds', async () => {
    let nowMs = Date.parse('2024-01-01T10:00:00Z');
    const { commit } = createSqliteCommitter({
      host: temporary.host,
      clock: { now: () => new Date(nowMs) },
      publisher: { append: () => Promise.resolve() },
    });
    const commitGroup = (group: number) =>
      commit(
        Array.from({ length: GROUP }, (_, index) => {
          const number = group * GROUP + index;
          return command([stored(number)], { key: { key: `key-${number}`, requestHash: 'a' } });
        }),
      );
    await commitGroup(0);
    await commitGroup(1);
    nowMs += DAY_MS + 1;
    await commitGroup(2);
    expect(await temporary.host.read(countKeys, null)).to.equal(GROUP);
  });
});
