/**
 * Many clients, two command APIs and random failures at every step: each command has one effect, no update is lost, and
 * the stream gets every event with the first occurrences in order per key.
 */
import { expect } from 'chai';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { CommandKey, Failpoints, Outcome } from '../../../shared/ports/committer.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import {
  commitGraph,
  openOutboxSetup,
  type OutboxProcess,
  type OutboxSetup,
} from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal } from '../../support/checks/examine-outbox.js';
import { firstAppearances } from '../../support/checks/first-appearances.js';
import { until } from '../../support/checks/until.js';
import { numberedId, stored, updated } from '../../support/fixtures/events.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';

const CLIENTS = 16;
const COMMANDS_EACH = 20;
const SHARED_MEMORIES = 3;
const BREAK_RATE = 0.02;
const SEED = 20_240_101;

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox under random failures: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    let processes: readonly OutboxProcess[];
    let random: Random;
    let published: RecordedEvent[];
    beforeEach(async function () {
      random = seededRandom(SEED);
      published = [];
      setup = await openOutboxSetup(adapter);
      const options = {
        failpoints: randomFailpoints(random),
        graph: flaky(commitGraph(setup.graph), random),
        config: { sweepMs: 20 },
      };
      processes = [setup.start(options), setup.start(options)];
      setup.startRelay({
        append: async (events) => {
          const isBroken = random.next() < BREAK_RATE * 5;
          published.push(...(isBroken ? events.slice(0, random.below(events.length)) : events));
          if (isBroken) throw new Error('The stream was broken by the test');
        },
      });
    });
    afterEach(() => setup.close());

    it(`gives each of ${CLIENTS * COMMANDS_EACH} commands one effect`, async function () {
      this.timeout(180_000);
      const steady = setup.start();
      for (let number = 1; number <= SHARED_MEMORIES; number += 1)
        await steady.committer.commit([command([stored(number, { content: '' })])]);

      const counts = { broken: 0, unknown: 0, conflicts: 0 };
      const client = async (clientNumber: number): Promise<void> => {
        for (let turn = 0; turn < COMMANDS_EACH; turn += 1) {
          const mark = `<${clientNumber}.${turn}>`;
          const key = { key: mark.padStart(64, '0'), requestHash: mark };
          const target = turn % 2 === 0 ? null : 1 + random.below(SHARED_MEMORIES);
          const own = 1_000 + clientNumber * COMMANDS_EACH + turn;
          await until(
            `${mark} is committed`,
            async () => {
              const event = target === null ? stored(own, { content: mark }) : await appended(target, mark);
              const outcome = await attempt(random.pick(processes), { event, key, counts });
              return outcome?.kind === 'committed' || outcome?.kind === 'repeated';
            },
            150_000,
          );
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, clientNumber) => client(clientNumber)));

      const events = await expectGraphMatchesJournal(steady, setup.graph.reader);
      expect(events).to.have.length(SHARED_MEMORIES + CLIENTS * COMMANDS_EACH);
      const shared = await setup.graph.reader.memories(
        Array.from({ length: SHARED_MEMORIES }, (_, index) => numberedId(index + 1)),
      );
      const marks = shared.flatMap(({ memory }) => memory.content.match(/<[\d.]+>/gu) ?? []);
      expect(new Set(marks)).to.have.property('size', marks.length);
      expect(marks).to.have.length(CLIENTS * Math.floor(COMMANDS_EACH / 2));
      expect(Math.min(counts.broken, counts.unknown, counts.conflicts), JSON.stringify(counts)).to.be.above(0);
      await expectStreamToShow(events);
    });

    async function appended(target: number, mark: string): Promise<NewEvent> {
      const [loaded] = await setup.graph.reader.memories([numberedId(target)]);
      if (!loaded) throw new Error(`Memory ${target} is gone`);
      return updated(target, loaded.version + 1, { content: loaded.memory.content + mark });
    }

    async function expectStreamToShow(events: readonly RecordedEvent[]): Promise<void> {
      await until('the stream has all events', () => firstAppearances(published).length === events.length);
      for (const key of new Set(events.map(({ partitionKey }) => partitionKey))) {
        const of = (all: readonly RecordedEvent[]): number[] =>
          all.filter(({ partitionKey }) => partitionKey === key).map(({ position }) => position);
        expect(of(firstAppearances(published))).to.deep.equal(of(events));
      }
    }
  });
}

type Counts = { broken: number; unknown: number; conflicts: number };
type Attempt = { readonly event: NewEvent; readonly key: CommandKey; readonly counts: Counts };

/** Undefined after an injected failure. Any other error fails the test. */
async function attempt({ committer }: OutboxProcess, { event, key, counts }: Attempt): Promise<Outcome | undefined> {
  try {
    const [outcome] = await committer.commit([command([event], { key })]);
    if (outcome?.kind === 'conflict') counts.conflicts += 1;
    return outcome;
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    if (error.outcomeUnknown) counts.unknown += 1;
    else counts.broken += 1;
    return undefined;
  }
}

function randomFailpoints(random: Random): Failpoints {
  return {
    hit: (step) => {
      if (random.next() < BREAK_RATE) throw new Error(`broken at ${step}`);
    },
  };
}

/** A graph whose calls fail at random, before or after their effect. */
function flaky(graph: CommitGraph, random: Random): CommitGraph {
  const fail = (): void => {
    if (random.next() < BREAK_RATE) throw new DependencyError('graph', 'The graph was broken by the test');
  };
  return {
    ping: graph.ping,
    apply: async (events) => {
      fail();
      await graph.apply(events);
      fail();
    },
  };
}
