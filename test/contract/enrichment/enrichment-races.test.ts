/**
 * Callers' changes race with recorded enrichments on every committer: no caller loses a change, and enrichment never
 * changes an ETag.
 */
import { expect } from 'chai';
import { createCommandHandling } from '../../../command-api/command-handling.js';
import { createRecordEnrichments } from '../../../command-api/enrichment/record-enrichments.js';
import { createUpdateMemory } from '../../../command-api/memories/update-memory.js';
import { noVectorWait } from '../../../command-api/vector-wait.js';
import type { EnrichmentOutcome, EnrichmentResult } from '../../../shared/contract/enrichment.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { PreconditionError } from '../../../shared/kernel/errors.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';
import { command, COMMITTER_ADAPTERS, type OpenCommitter } from '../../support/adapters/committers.js';
import { rejection } from '../../support/checks/rejection.js';
import { numberedId, stored } from '../../support/fixtures/events.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { context } from '../../unit/command-api/fixtures.js';

const ROUNDS = 300;
/** Each of their rounds needs several round trips. */
const ROUNDS_WITH_SERVERS = 50;
const CONDITIONS = {
  clock: systemClock,
  failpoints: { hit: () => undefined },
  publisher: { append: () => Promise.resolve() },
};

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`enrichment racing callers: ${adapter.name}`, function () {
    this.timeout(300_000);
    const rounds = adapter.name === 'sqlite' ? ROUNDS : ROUNDS_WITH_SERVERS;
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
        update({
          params: { id },
          query: {},
          body,
          context: context({ ifMatch: ifMatch === undefined ? null : [ifMatch] }),
        });
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

    const current = async (): Promise<LoadedMemory> => {
      const [loaded] = await open.graph.memories([id]);
      if (!loaded) throw new Error('The memory is gone.');
      return loaded;
    };

    /** Delays a racer by up to three reads, so that each racer is ahead at every step in some rounds. */
    async function delayed<T>(run: () => Promise<T>): Promise<T> {
      for (let reads = random.below(4); reads > 0; reads -= 1) await open.graph.ping();
      return run();
    }

    it(`keeps every change of ${rounds} rounds and its revision`, async () => {
      const seen = new Set<string>();
      let enrichments = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const { version } = await current();
        const name = `Name${round}`;
        const racers = [
          (): Promise<unknown> => patch({ metadata: { round }, importance: round / rounds }),
          () => enrich({ expectedVersion: version, entities: { tools: [name] }, summary: `Summary ${round}` }),
        ];
        const [, outcome] = await Promise.all(racers.map((run) => delayed(run)));
        seen.add(String(outcome));
        if (outcome === 'done') enrichments += 1;

        const { memory, version: after, revision } = await current();
        expect(memory.metadata['round'], `round ${round}`).to.equal(round);
        expect(memory.importance).to.equal(round / rounds);
        expect(memory.tags).to.include('own');
        expect([revision, after]).to.deep.equal([1 + round, 1 + round + enrichments]);
        // The change replaced the metadata of the enrichment or made the enrichment outdated: in both cases it must be
        // repeated.
        expect(memory.enriched).to.equal(false);
        expect(memory.summary === `Summary ${round}`).to.equal(outcome === 'done');
      }
      expect([...seen]).to.have.members(['done', 'outdated']);
    });

    it('accepts a change of a version that was enriched since', async () => {
      const { version, revision } = await current();
      expect(await enrich({ expectedVersion: version, entities: { people: ['Ann Lee'] } })).to.equal('done');
      await patch({ importance: 1 }, revision);
      const { memory, revision: after } = await current();
      expect([memory.importance, after]).to.deep.equal([1, revision + 1]);
      expect(memory.tags).to.deep.equal(['own', 'entity:people:ann-lee']);
      expect(await rejection(patch({ importance: 0 }, revision))).to.be.instanceOf(PreconditionError);
    });

    it('records one of many equal enrichments', async () => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => enrich({})));
      expect(outcomes.sort()).to.deep.equal(['done', ...Array.from({ length: 7 }, () => 'outdated')]);
      expect((await current()).version).to.equal(2);
    });
  });
}
