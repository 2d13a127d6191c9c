import { expect } from 'chai';
import type { TagFilter } from '../../../../../../shared/contract/filter.js';
import { applyEvents } from '../../../../../../shared/engines/sqlite/graph/applying/apply-events.js';
import { narrowTags } from '../../../../../../shared/engines/sqlite/graph/searching/narrow-tags.js';
import { graphMigrations } from '../../../../../../shared/engines/sqlite/schema/graph.js';
import { migrate } from '../../../../../../shared/engines/sqlite/threads/migrate.js';
import { type OpenDatabase, openDatabase } from '../../../../../../shared/engines/sqlite/threads/open-database.js';
import { admits, randomFilter, randomMemories } from '../../../../../support/checks/reference-filter.js';
import { stored } from '../../../../../support/fixtures/memories.js';
import { seededRandom } from '../../../../../support/fixtures/random.js';

const MEMORIES = 300;
const ROUNDS = 200;

describe('narrowTags', () => {
  let database: OpenDatabase;
  const random = seededRandom(6);
  const memories = randomMemories(MEMORIES, random);
  before(() => {
    database = openDatabase(':memory:', { busyTimeoutMs: 0 });
    // Procedure steps only backfill data of older releases.
    migrate(database, [
      {
        component: 'graph',
        steps: graphMigrations.steps.map((step) => (typeof step === 'string' ? step : () => undefined)),
      },
    ]);
    applyEvents.run(
      database,
      memories.map((each) => stored(each)),
    );
  });
  after(() => database.close());

  it('returns the rows of the memories that have the tags, up to the limit', () => {
    let narrow = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { tags } = randomFilter(random);
      if (tags === null) continue;
      const expected = idsWith(tags);
      const rows = narrowTags(database, tags, expected.length * tags.values.length);
      expect(rows, JSON.stringify(tags)).not.to.equal(null);
      const found = database
        .all(`SELECT DISTINCT id FROM memories WHERE n IN (${rows?.sql}) ORDER BY id`, rows?.params)
        .map((row) => row['id']);
      expect(found, JSON.stringify(tags)).to.deep.equal(expected);
      if (expected.length > 0)
        expect(narrowTags(database, tags, expected.length - 1), JSON.stringify(tags)).to.equal(null);
      narrow += expected.length;
    }
    expect(narrow).to.be.greaterThan(ROUNDS);
  });

  function idsWith(tags: TagFilter): string[] {
    const open = {
      tags,
      within: null,
      excludeTags: [],
      start: null,
      end: null,
      excludedTypes: [],
      state: 'unarchived',
      now: '',
    } as const;
    return memories
      .filter(({ archived: _archived, ...each }) => admits(open, each))
      .map(({ id }) => id)
      .sort();
  }
});
