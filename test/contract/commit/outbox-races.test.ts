/**
 * Two concurrent command APIs: groups that lock the same subjects in opposite orders, and associations that race
 * deletions.
 */
import { expect } from 'chai';
import { associationSubject } from '../../../shared/contract/association.js';
import type { NewEvent } from '../../../shared/contract/events.js';
import type { Outcome } from '../../../shared/ports/committer.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import { openOutboxSetup, type OutboxProcess, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal } from '../../support/checks/examine-outbox.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';
import { seededRandom } from '../../support/fixtures/random.js';

/** The default runs only a part; PALIMPSEST_TEST_RACES=1000 runs all. */
const RACES = Number(process.env['PALIMPSEST_TEST_RACES'] ?? 100);
const CONCURRENT_RACES = 20;
const MEMORIES = 12;

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox races: ${adapter.name}`, function () {
    this.timeout(180_000);
    let setup: OutboxSetup;
    let first: OutboxProcess;
    let second: OutboxProcess;
    beforeEach(async () => {
      setup = await openOutboxSetup(adapter);
      first = setup.start();
      second = setup.start();
    });
    afterEach(() => setup.close());

    const commit = async (
      { committer }: OutboxProcess,
      ...commands: readonly (readonly NewEvent[])[]
    ): Promise<readonly string[]> =>
      (await committer.commit(commands.map((events) => command(events)))).map(({ kind }: Outcome) => kind);
    const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);

    it('commits two groups that change the same memories in opposite orders', async () => {
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
      await expectGraphMatchesJournal(first, setup.graph.reader);
    });

    it('commits two groups that each require what the other changes', async () => {
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
        // An earlier round may have associated the same two memories: that is the only possible conflict.
        expect(
          kinds.flatMap(([, ...changes]) => changes),
          `round ${round}`,
        ).to.deep.equal(Array.from({ length: 4 }, () => 'committed'));
      }
      await expectGraphMatchesJournal(first, setup.graph.reader);
    });

    it(`keeps no association without its ends in ${RACES} races with deletions`, async () => {
      for (let from = 0; from < RACES; from += CONCURRENT_RACES) {
        await Promise.all(
          Array.from({ length: Math.min(CONCURRENT_RACES, RACES - from) }, (_, index) => race(from + index)),
        );
      }
      for (const event of await expectGraphMatchesJournal(first, setup.graph.reader)) {
        if (event.type.startsWith('association.')) expect(event.data, event.subject).to.equal(null);
      }
    });

    async function race(number: number): Promise<void> {
      const [source, target] = [number * 2 + 1, number * 2 + 2];
      await commit(first, [stored(source), stored(target)]);
      const removed = number % 2 === 0 ? source : target;
      const [one, other] = number % 4 < 2 ? [first, second] : [second, first];
      const racers = [() => commit(one, [associated(source, target)]), () => commit(other, [deleted(removed, 2)])];
      const kinds = await Promise.all((number % 3 === 0 ? racers.reverse() : racers).map((run) => run()));
      expect(kinds.flat(), `race ${number}`).to.include('committed');
      const association = { source: numberedId(source), type: 'RELATES_TO', target: numberedId(target) } as const;
      expect(await setup.graph.reader.associations([association]), associationSubject(association)).to.deep.equal([]);
    }
  });
}
