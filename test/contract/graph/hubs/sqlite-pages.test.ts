/** The pages of the embedded database that reads and writes at a hub touch, for two numbers of its associations. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { createSqliteGraphReader } from '../../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../../shared/engines/sqlite/schema/graph.js';
import type { GraphReader, GraphWriter } from '../../../../shared/ports/graph.js';
import { openTemporaryHost, type TemporaryHost } from '../../../support/adapters/sqlite.js';
import { derived, enriched } from '../../../support/fixtures/enrichment-events.js';
import { associated, association, day, deleted, memory, memoryId, stored } from '../../../support/fixtures/memories.js';

const FEW = 2_000;
const MANY = 8_000;
/** Four times the associations may add a level to a tree, but not four times the pages. */
const MOST_GROWTH = 1.5;
const HUBS = { [FEW]: 100_000, [MANY]: 200_000 } as const;

type Graph = { readonly reader: GraphReader; readonly writer: GraphWriter };
type Size = keyof typeof HUBS;

const WORK: Readonly<Record<string, (graph: Graph, hub: number) => Promise<unknown>>> = {
  'reading the associations of a hub': ({ reader }, hub) =>
    reader.relations({ ids: [memoryId(hub)], direction: 'both', limit: 100 }),
  'reading with a filter that admits nothing': ({ reader }, hub) =>
    reader.relations({
      ids: [memoryId(hub)],
      direction: 'both',
      types: ['RELATES_TO'],
      excludedTypes: ['Context'],
      limit: 100,
    }),
  'following the successors of a hub': ({ reader }, hub) => reader.successions([memoryId(hub)], 5),
  'writing associations of a hub': ({ writer }, hub) =>
    writer.apply([1, 2, 3].map((number) => associated(association(hub, number, { type: 'LEADS_TO' })))),
  'replacing what enrichment derived for a hub': ({ writer }, hub) =>
    writer.apply([enriched(hub, 2, [derived(1), derived(2)])]),
  'deleting a hub': ({ writer }, hub) => writer.apply([deleted(hub, 3)]),
};

// Linux counts the bytes that a process reads: a measure of the work that is the same on a machine of any speed.
if (process.platform === 'linux') {
  describe('the pages that a hub takes in SQLite', function () {
    this.timeout(240_000);
    let opened: TemporaryHost;
    before(async () => {
      opened = await openTemporaryHost([graphMigrations]);
      const writer = createSqliteGraphWriter(opened);
      const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
      await writer.apply([...Object.values(HUBS), ...numbers].map((number) => stored(memory(number))));
      for (const [size, hub] of Object.entries(HUBS))
        await writer.apply(numbers.slice(0, Number(size)).flatMap((number) => around(hub, number)));
    });
    after(() => opened.remove());

    /** The strongest and the newest are with the same memories for both hubs. */
    function around(hub: number, number: number): RecordedEvent[] {
      const overrides = { strength: 1 - number / MANY, updated_at: day(MANY - number) };
      return [
        associated(association(number, hub, overrides)),
        associated(association(hub, number, { ...overrides, type: 'EXEMPLIFIES' })),
        associated(association(hub, number, { ...overrides, type: 'INVALIDATED_BY' })),
      ];
    }

    /** In a connection without a cache. */
    async function pagesOf(work: (graph: Graph, hub: number) => Promise<unknown>, size: Size): Promise<number> {
      opened = await opened.reopen();
      const { host } = opened;
      const graph = { reader: createSqliteGraphReader({ host }), writer: createSqliteGraphWriter({ host }) };
      await graph.reader.ping();
      return bytesRead(() => work(graph, HUBS[size]));
    }

    for (const [name, work] of Object.entries(WORK)) {
      it(`do not grow with its associations: ${name}`, async () => {
        const few = await pagesOf(work, FEW);
        expect(await pagesOf(work, MANY), `${few} bytes at ${FEW}`).to.be.at.most(MOST_GROWTH * few);
      });
    }
  });
}

async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  const before = totalRead();
  await work();
  return totalRead() - before;
}

function totalRead(): number {
  return Number(/^rchar: (\d+)$/mu.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
