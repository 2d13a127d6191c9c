/** The database hits of Neo4j that reads of a hub take, for two numbers of its associations. */
import { expect } from 'chai';
import type { Neo4j } from '../../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphReader } from '../../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../../shared/engines/neo4j/neo4j-graph-writer.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import { associated, association, memory, memoryId, stored } from '../../../support/fixtures/memories.js';
import { openEmptyNeo4j } from '../../../support/servers/neo4j.js';
import { openPlanner, type Planner, statementsOf } from '../../../support/servers/neo4j-plans.js';
import { isServerWanted } from '../../../support/servers/servers.js';

const [FEW, MANY] = [3_000, 9_000];
const HUBS = { [FEW]: 100_000, [MANY]: 200_000 };
const MOST_GROWTH = 1.2;

const READS: Readonly<Record<string, (reader: GraphReader, hub: number) => Promise<unknown>>> = {
  relations: (reader, hub) => reader.relations({ ids: [memoryId(hub)], direction: 'both', limit: 100 }),
  'outgoing relations': (reader, hub) => reader.relations({ ids: [memoryId(hub)], direction: 'outgoing', limit: 5 }),
  steps: (reader, hub) => reader.steps({ ids: [memoryId(hub)], types: ['RELATES_TO'], limit: 100 }),
};

if (isServerWanted('neo4j')) {
  describe('the hits that a hub takes in Neo4j', () => {
    let neo4j: Neo4j;
    let planner: Planner;
    before(async () => {
      neo4j = await openEmptyNeo4j();
      planner = openPlanner();
      const writer = createNeo4jGraphWriter({ neo4j });
      const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
      await writer.apply([...Object.values(HUBS), ...numbers].map((number) => stored(memory(number))));
      for (const [size, hub] of Object.entries(HUBS))
        await writer.apply(
          numbers
            .slice(0, Number(size))
            .flatMap((number) => [associated(association(hub, number)), associated(association(number, hub))]),
        );
    });
    after(async () => {
      await planner.close();
      await neo4j.close();
    });

    for (const [name, read] of Object.entries(READS)) {
      it(`do not grow with its associations: ${name}`, async () => {
        const hitsOf = async (hub = 0): Promise<number> => {
          const recorded = (given: Neo4j) => read(createNeo4jGraphReader({ neo4j: given }), hub);
          return (await planner.profile(await statementsOf(neo4j, recorded))).hits;
        };
        const few = await hitsOf(HUBS[FEW]);
        expect(await hitsOf(HUBS[MANY]), `${few} hits at ${FEW}`).to.be.at.most(MOST_GROWTH * few);
      });
    }
  });
}
