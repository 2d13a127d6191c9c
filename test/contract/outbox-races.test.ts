/** Two command APIs at once: groups that want the same subjects in opposite orders, and associations that race deletions. */
import { expect } from 'chai';
import { associationSubject } from '../../shared/contract/association.js';
import type { Outcome } from '../../shared/commit/committer.js';
import type { NewEvent } from '../../shared/contract/events.js';
import { command } from '../support/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../support/events.js';
import { expectGraphToShowJournal } from '../support/examine-outbox.js';
import { GRAPH_ADAPTERS } from '../support/graph-adapters.js';
import { openOutboxStage, type OutboxProcess, type OutboxStage } from '../support/outbox.js';
import { seededRandom } from '../support/random.js';
import { isServerWanted } from '../support/servers.js';

/** The daily run takes a part of them; PALIMPSEST_TEST_RACES=1000 all. */
const RACES = Number(process.env['PALIMPSEST_TEST_RACES'] ?? 100);
const AT_ONCE = 20;
const MEMORIES = 12;

for (const adapter of isServerWanted('postgres') ? GRAPH_ADAPTERS : []) {
  describe(`the commit protocol over postgres and ${adapter.name}, racing`, function () {
    this.timeout(180_000);
    let stage: OutboxStage;
    let first: OutboxProcess;
    let second: OutboxProcess;
    beforeEach(async () => {
      stage = await openOutboxStage(adapter);
      first = stage.start();
      second = stage.start();
    });
    afterEach(() => stage.close());

    const commit = async (
      { committer }: OutboxProcess,
      ...commands: readonly (readonly NewEvent[])[]
    ): Promise<readonly string[]> =>
      (await committer.commit(commands.map((events) => command(events)))).map(({ kind }: Outcome) => kind);
    const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);

    it('lets two groups that change the same memories in opposite orders both go on', async () => {
      await commit(
        first,
        numbers.map((number) => stored(number)),
      );
      for (let version = 2; version < RACES / 2; version += 1) {
        const changes = numbers.map((number) => [updated(number, version, { content: `version ${version}` })]);
        const [one, other] = await Promise.all([commit(first, ...changes), commit(second, ...[...changes].reverse())]);
        expect(
          [...one, ...other].filter((kind) => kind === 'committed'),
          `version ${version}`,
        ).to.have.length(MEMORIES);
      }
      await expectGraphToShowJournal(first, stage.graph.reader);
    });

    it('lets two groups each need what the other changes', async () => {
      const random = seededRandom(5);
      await commit(
        first,
        numbers.map((number) => stored(number)),
      );
      const versions = new Map(numbers.map((number) => [number, 1]));
      const next = (number: number): NewEvent => {
        const version = (versions.get(number) ?? 0) + 1;
        versions.set(number, version);
        return updated(number, version);
      };
      for (let round = 1; round < RACES / 2; round += 1) {
        const [a = 1, b = 2, c = 3, d = 4] = [...numbers].sort(() => random.next() - 0.5);
        const kinds = await Promise.all([
          commit(first, [associated(a, b, { version: 1, type: 'LEADS_TO' })], [next(c)], [next(d)]),
          commit(second, [associated(d, c, { version: 1, type: 'RELATES_TO' })], [next(b)], [next(a)]),
        ]);
        // The same two may have been associated in an earlier round; that is a conflict, and no other one is possible.
        expect(
          kinds.flatMap(([, ...changes]) => changes),
          `round ${round}`,
        ).to.deep.equal(Array.from({ length: 4 }, () => 'committed'));
      }
      await expectGraphToShowJournal(first, stage.graph.reader);
    });

    it(`leaves no association without its ends in ${RACES} races of associating against deleting`, async () => {
      for (let from = 0; from < RACES; from += AT_ONCE) {
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, RACES - from) }, (_, index) => race(from + index)));
      }
      for (const event of await expectGraphToShowJournal(first, stage.graph.reader)) {
        if (event.type.startsWith('association.')) expect(event.data, event.subject).to.equal(null);
      }
    });

    async function race(number: number): Promise<void> {
      const [source, target] = [number * 2 + 1, number * 2 + 2];
      await commit(first, [stored(source), stored(target)]);
      const dying = number % 2 === 0 ? source : target;
      const [one, other] = number % 4 < 2 ? [first, second] : [second, first];
      const racers = [() => commit(one, [associated(source, target)]), () => commit(other, [deleted(dying, 2)])];
      const kinds = await Promise.all((number % 3 === 0 ? racers.reverse() : racers).map((run) => run()));
      expect(kinds.flat(), `race ${number}`).to.include('committed');
      const association = { source: numberedId(source), type: 'RELATES_TO', target: numberedId(target) } as const;
      expect(await stage.graph.reader.associations([association]), associationSubject(association)).to.deep.equal([]);
    }
  });
}
