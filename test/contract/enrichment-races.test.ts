/** Callers' changes racing with what the enricher records, on every committer: no change of a caller is lost, and no ETag moves for enrichment. */
import { expect } from 'chai';
import { createRecordEnrichments } from '../../command-api/enrichment/record-enrichments.js';
import { createCommandHandling } from '../../command-api/handle.js';
import { createUpdateMemory } from '../../command-api/memories/update-memory.js';
import { noVectorWait } from '../../command-api/vector-wait.js';
import type { EnrichmentOutcome, EnrichmentResult } from '../../shared/contract/enrichment.js';
import type { LoadedMemory } from '../../shared/graph/graph.js';
import { randomIds, systemClock } from '../../shared/kernel/clock.js';
import { PreconditionError } from '../../shared/kernel/errors.js';
import { COMMITTER_ADAPTERS, command, type OpenCommitter } from '../support/committers.js';
import { numberedId, stored } from '../support/events.js';
import { seededRandom } from '../support/random.js';
import { rejection } from '../support/rejection.js';
import { context } from '../unit/command-api/fixtures.js';

/** Of the embedded committer; the others take a twentieth, each round being several round trips. */
const ROUNDS = 1_000;
const CONDITIONS = {
  clock: systemClock,
  failpoints: { hit: () => undefined },
  publisher: { append: () => Promise.resolve() },
};

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`enrichment racing callers: ${adapter.name}`, function () {
    this.timeout(300_000);
    const rounds = adapter.name === 'sqlite' ? ROUNDS : ROUNDS / 20;
    const random = seededRandom(31);
    const id = numberedId(1);
    let open: OpenCommitter;
    let patch: (body: Readonly<Record<string, unknown>>, ifMatch?: number) => Promise<unknown>;
    let enrich: (overrides: Partial<EnrichmentResult>) => Promise<EnrichmentOutcome | undefined>;

    beforeEach(async () => {
      open = await adapter.open(CONDITIONS);
      const { committer, graph } = open;
      const commands = createCommandHandling({ committer, clock: systemClock, ids: randomIds, keyWaitMs: 1_000 });
      const update = createUpdateMemory({
        commands,
        graph,
        vectors: noVectorWait,
        limits: { contentHardLimit: 2_000, vectorSize: 3 },
        vectorWaitMs: 0,
      });
      patch = (body, ifMatch) =>
        update({ params: { id }, query: {}, body, context: context({ ifMatch: ifMatch ?? null }) });
      const record = createRecordEnrichments({ committer, graph, clock: systemClock, ids: randomIds });
      enrich = async (overrides) =>
        (
          await record([
            {
              kind: 'enriched',
              id,
              expectedVersion: 1,
              causationId: 'cause',
              entities: {},
              summary: null,
              derived: [],
              findings: {},
              ...overrides,
            },
          ])
        )[0];
      await committer.commit([command([stored(1, { tags: ['own'], metadata: { round: 0 } })])]);
    });
    afterEach(() => open.close());

    const now = async (): Promise<LoadedMemory> => {
      const [loaded] = await open.graph.memories([id]);
      if (!loaded) throw new Error('The memory is gone.');
      return loaded;
    };

    /** Behind none to three reads, so that each of the two is ahead at every step in some rounds. */
    async function late<T>(run: () => Promise<T>): Promise<T> {
      for (let reads = random.below(4); reads > 0; reads -= 1) await open.graph.ping();
      return run();
    }

    it(`keeps every change of ${rounds} rounds, and counts a revision for each of them alone`, async () => {
      const seen = new Set<string>();
      let enrichments = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const { version } = await now();
        const name = `Name${round}`;
        const racers = [
          (): Promise<unknown> => patch({ metadata: { round }, importance: round / rounds }),
          () => enrich({ expectedVersion: version, entities: { tools: [name] }, summary: `Summary ${round}` }),
        ];
        const [, outcome] = await Promise.all(racers.map((run) => late(run)));
        seen.add(String(outcome));
        if (outcome === 'done') enrichments += 1;

        const { memory, version: after, revision } = await now();
        expect(memory.metadata['round'], `round ${round}`).to.equal(round);
        expect(memory.importance).to.equal(round / rounds);
        expect(memory.tags).to.include('own');
        expect([revision, after]).to.deep.equal([1 + round, 1 + round + enrichments]);
        // The change replaced the metadata that the enrichment had written, or made it outdated: either way it is to be enriched again.
        expect(memory.enriched).to.equal(false);
        expect(memory.summary === `Summary ${round}`).to.equal(outcome === 'done');
      }
      expect([...seen]).to.have.members(['done', 'outdated']);
    });

    it('lets a caller change what he saw before it was enriched', async () => {
      const { version, revision } = await now();
      expect(await enrich({ expectedVersion: version, entities: { people: ['Ann Lee'] } })).to.equal('done');
      await patch({ importance: 1 }, revision);
      const { memory, revision: after } = await now();
      expect([memory.importance, after]).to.deep.equal([1, revision + 1]);
      expect(memory.tags).to.deep.equal(['own', 'entity:people:ann-lee']);
      expect(await rejection(patch({ importance: 0 }, revision))).to.be.instanceOf(PreconditionError);
    });

    it('lets one of many equal enrichments through', async () => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => enrich({})));
      expect(outcomes.sort()).to.deep.equal(['done', ...Array.from({ length: 7 }, () => 'outdated')]);
      expect((await now()).version).to.equal(2);
    });
  });
}
