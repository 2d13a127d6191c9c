/**
 * The condition for excluded tags: the same memories as a comparison of every key with every value, for a cost that
 * hardly grows.
 */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../../../../shared/contract/filter.js';
import { applyEvents } from '../../../../../../shared/engines/sqlite/graph/applying/apply-events.js';
import { conditions } from '../../../../../../shared/engines/sqlite/graph/searching/filter-sql.js';
import { graphMigrations } from '../../../../../../shared/engines/sqlite/schema/graph.js';
import { migrate } from '../../../../../../shared/engines/sqlite/threads/migrate.js';
import { type OpenDatabase, openDatabase } from '../../../../../../shared/engines/sqlite/threads/open-database.js';
import { admits } from '../../../../../support/checks/reference-filter.js';
import { day, memory, stored } from '../../../../../support/fixtures/memories.js';
import { seededRandom } from '../../../../../support/fixtures/random.js';

const MEMORIES = 1_000;
const PIECES = ['a', 'b', ':', '/', 'A', '\uffee', '\u{1F9A6}'] as const;

describe('the condition for excluded tags', () => {
  let database: OpenDatabase;
  const { below, pick } = seededRandom(11);
  const text = (most: number): string => Array.from({ length: 1 + below(most) }, () => pick(PIECES)).join('');
  const memories = Array.from({ length: MEMORIES }, (_, index) =>
    memory(index + 1, { tags: Array.from({ length: below(8) }, () => `x${text(6)}`) }),
  );
  before(() => {
    database = openDatabase(':memory:', { busyTimeoutMs: 0 });
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

  function excluding(excludeTags: readonly string[]): MemoryFilter {
    return {
      tags: null,
      within: null,
      excludeTags,
      start: null,
      end: null,
      excludedTypes: [],
      state: 'unarchived',
      now: day(15),
    };
  }
  function admitted(filter: MemoryFilter): readonly unknown[] {
    const { sql, params } = conditions(filter);
    return database.all(`SELECT id FROM memories AS m WHERE ${sql} ORDER BY id`, params).map((row) => row['id']);
  }

  it('admits what the reference admits for any number of values', () => {
    for (let round = 0; round < 60; round += 1) {
      const filter = excluding(Array.from({ length: 1 + below(12) }, () => `x${text(3)}`));
      const expected = memories.filter((each) => admits(filter, each)).map(({ id }) => id);
      expect(admitted(filter), JSON.stringify(filter.excludeTags)).to.deep.equal(expected.sort());
    }
  });

  it('costs little more for 200 values than for one', () => {
    const fastest = (filter: MemoryFilter): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const startedAt = performance.now();
          admitted(filter);
          return performance.now() - startedAt;
        }),
      );
    const many = Array.from({ length: 200 }, (_, index) => `other-${index}`);
    const one = fastest(excluding(many.slice(0, 1)));
    expect(fastest(excluding(many))).to.be.at.most(10 * one);
  });
});
