/** The server ends a search that takes longer than its caller waits. */
import { expect } from 'chai';
import type { CallLimits, Neo4j } from '../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { rejection } from '../../support/checks/rejection.js';
import { filter } from '../../support/fixtures/points.js';
import { openEmptyNeo4j } from '../../support/servers/neo4j.js';
import { isServerWanted } from '../../support/servers/servers.js';

const ENDLESS = {
  text: 'UNWIND range(1, 10000000000) AS n WITH n WHERE n % 7 = 8 RETURN count(n) AS count',
  given: {},
};
/** Neo4j looks for transactions beyond their timeouts every 2 s. */
const ENDED_MS = 8_000;

if (isServerWanted('neo4j')) {
  describe('a search in Neo4j that takes too long', () => {
    let neo4j: Neo4j;
    before(async () => {
      neo4j = await openEmptyNeo4j();
    });
    after(() => neo4j.close());

    it('is ended by the server after the timeout of its read', async () => {
      const begin = performance.now();
      const error = await rejection(neo4j.readAll([ENDLESS, ENDLESS], { timeoutMs: 300 }));
      expect(performance.now() - begin).to.be.below(ENDED_MS);
      expect(String(error.cause)).to.match(/terminated|timed out/iu);
      const running = await neo4j.read({
        text: "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS '10000000000) AS n W' AND NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery",
        given: {},
      });
      expect(running).to.deep.equal([]);
    });
  });

  describe('the graph reader of the query API', () => {
    it('gives the timeout to searches alone', async () => {
      const seen: (number | undefined)[] = [];
      const note = async (_: unknown, limits?: CallLimits) => {
        seen.push(limits?.timeoutMs);
        return [];
      };
      const reader = createNeo4jGraphReader({ neo4j: { read: note, readAll: note }, searchTimeoutMs: 3_500 });
      await reader.ping();
      await reader.memories([]);
      expect(new Set(seen)).to.deep.equal(new Set([undefined]));
      seen.length = 0;
      await reader.trending({ filter: filter(), limit: 5, order: 'importance' });
      await reader.keyword({ terms: ['a'], filter: filter(), limit: 5 });
      expect(seen.length).to.be.above(1);
      expect(new Set(seen)).to.deep.equal(new Set([3_500]));
    });
  });
}
