import { expect } from 'chai';
import type { TagFilter } from '../../../shared/contract/filter.js';
import { applyEvents } from '../../../shared/graph/sqlite/apply.js';
import { graphMigrations } from '../../../shared/graph/sqlite/migrations.js';
import { narrowTags } from '../../../shared/graph/sqlite/narrow-tags.js';
import { migrate } from '../../../shared/sqlite/migrate.js';
import { openDatabase, type OpenDatabase } from '../../../shared/sqlite/open-database.js';
import { stored } from '../../support/memories.js';
import { seededRandom } from '../../support/random.js';
import { admits, randomFilter, randomMemories } from '../../support/reference-filter.js';

const MEMORIES = 300;
const ROUNDS = 200;

describe('the rows that tags leave', () => {
  let database: OpenDatabase;
  const random = seededRandom(6);
  const memories = randomMemories(MEMORIES, random);
  before(() => {
    database = openDatabase(':memory:', { busyTimeoutMs: 0 });
    // Steps by name fill in what older programs did not write.
    migrate(database, [
      {
        room: 'graph',
        steps: graphMigrations.steps.map((step) => (typeof step === 'string' ? step : () => undefined)),
      },
    ]);
    applyEvents.run(
      database,
      memories.map((each) => stored(each)),
    );
  });
  after(() => database.close());

  it('are those of the memories that have them, up to the limit', () => {
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
