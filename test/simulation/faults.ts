/** The faults of a run: the seed chooses their kinds, times and sizes. */
import type { Fleet, Kind } from './fleet/fleet.js';
import { type Engines, EVENT_TOPIC } from './fleet/processes.js';
import type { SimulatedBroker } from './kafka/simulated-broker.js';
import type { LostEvent } from './postgres/simulated-server.js';
import type { SimulatedProcess } from './world/world.js';

export const FAULT_KINDS = [
  'crash of a command API',
  'crash of a relay',
  'crash of an indexer',
  'crash of a query API',
  'crash at a step',
  'pause of a command API',
  'pause of a relay',
  'pause of an indexer',
  'pause of a query API',
  'pause at a step',
  'lost answer of a commit',
  'lost sessions',
  'failover to an asynchronous standby',
  'failover during a step',
  'graph put back',
  'graph emptied',
  'graph down',
  'event that the graph cannot apply',
  'index put back',
  'index emptied',
  'topic lost',
  'Kafka down',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The steps of the protocols at which a process may crash or pause: of a commit, a relay, an indexer and a read. */
export const STEPS = [
  'journal.lock_group',
  'journal.arguments_of_append',
  'COMMIT',
  'graph.apply',
  'journal.finish_pending',
  'journal.claim_overdue',
  'journal.outbox_page',
  'journal.outbox_events',
  'topic.append',
  'journal.outbox_published',
  'kafka.fetch',
  'index.upsert',
  'kafka.commit',
  'graph.mark',
  'graph.memories',
] as const;

export type PlannedFault = { readonly kind: FaultKind; readonly at: number; readonly step: string };
/** What the seed chooses from. */
export type Choice = { readonly kinds: readonly FaultKind[]; readonly steps: readonly string[] };
export const ALL_FAULTS: Choice = { kinds: FAULT_KINDS, steps: STEPS };

/** When faults begin, in ms of virtual time. */
const WINDOW_MS = { from: 1_500, to: 8_000 };
const [SHORT_PAUSE_MS, LONGEST_PAUSE_MS] = [12_000, 45_000];

export function planFaults({ random }: Engines['world'], { kinds, steps }: Choice): readonly PlannedFault[] {
  const count = 1 + random.below(3);
  const faults = Array.from({ length: count }, () => ({
    kind: random.pick(kinds),
    step: random.pick(steps),
    at: WINDOW_MS.from + random.below(WINDOW_MS.to - WINDOW_MS.from),
  }));
  return faults.sort((one, other) => one.at - other.at);
}

/** The accidents that a run had, as far as the checks must know them. */
export type Accidents = {
  /** `lost`: the ids of the events that the promoted standby lacks. */
  readonly failovers: {
    readonly at: number;
    /** The clock of the database when it accepts connections again. */
    readonly upAt: number;
    readonly lost: readonly LostEvent[];
    /** True when the mark of the graph has a lost event, so that a comparison finds it. */
    readonly isMarked: boolean;
  }[];
  /** When the graph went back or was emptied. */
  readonly graphAt: number[];
  /** The clock of the database when the index went back or was emptied. */
  readonly indexAt: number[];
  /** The time at which the last fault is over. */
  readonly endAt: () => number;
};

export function startFaults({
  engines,
  fleet,
  faults,
}: {
  readonly engines: Engines & { readonly broker: SimulatedBroker };
  readonly fleet: Fleet;
  readonly faults: readonly PlannedFault[];
}): Accidents {
  const { world, server, graph, index, broker } = engines;
  const { random } = world;
  let endAt = 0;
  const accidents: Accidents = { failovers: [], graphAt: [], indexAt: [], endAt: () => endAt };
  const lasts = (milliseconds: number): number => {
    endAt = Math.max(endAt, world.now() + milliseconds);
    return milliseconds;
  };
  const note = (text: string): void => world.record('world', text, true);
  const pick = (kind: Kind) => {
    const found = fleet.processes(kind);
    return found.length === 0 ? null : random.pick(found);
  };
  const pause = (process: SimulatedProcess | null): void =>
    process?.pause(lasts(random.below(random.next() < 0.5 ? SHORT_PAUSE_MS : LONGEST_PAUSE_MS)));
  const crash = (process: SimulatedProcess | null): void => {
    if (process) fleet.crash(process, lasts(500 + random.below(5_000)));
  };
  const atStep = (step: string, fault: string, react: (process: SimulatedProcess) => void): void => {
    const when = random.next() < 0.5 ? 'before' : 'after';
    world.atAnswer(step, when, (process) => {
      note(
        `${process.name} ${fault} ${when === 'before' ? 'with the answer to' : 'before its next request after'} ${step}`,
      );
      react(process);
    });
  };

  const failOver = ({ lostCommits, downMs }: { readonly lostCommits: number; readonly downMs: number }): void => {
    const { head, lost } = server.failOver({ lostCommits, downMs: lasts(downMs) });
    note(`a standby of Postgres is promoted that lacks the last ${lostCommits} commits; its head is ${head}`);
    const isMarked = lost.some(({ event_id: id }) => graph.marks(id));
    accidents.failovers.push({ at: world.now(), upAt: Date.now() + downMs, lost, isMarked });
  };

  const inject: Readonly<Record<FaultKind, (step: string) => void>> = {
    'crash of a command API': () => crash(pick('api')),
    'crash of a relay': () => crash(pick('relay')),
    'crash of an indexer': () => crash(pick('indexer')),
    'crash of a query API': () => crash(pick('query')),
    'pause of a command API': () => pause(pick('api')),
    'pause of a relay': () => pause(pick('relay')),
    'pause of an indexer': () => pause(pick('indexer')),
    'pause of a query API': () => pause(pick('query')),
    'crash at a step': (step) => atStep(step, 'crashes', crash),
    'pause at a step': (step) => atStep(step, 'pauses', pause),
    'lost answer of a commit': () => {
      const stands = random.next() < 0.5;
      note(`the answer of the next commit is lost, and it ${stands ? 'stands' : 'does not stand'}`);
      server.loseNextCommit(stands);
    },
    'lost sessions': () => {
      note('all sessions of Postgres end');
      server.endSessions();
    },
    // Half of them lose a few commits only: often these are deletes of rows, without an event.
    'failover to an asynchronous standby': () =>
      failOver({ lostCommits: random.below(random.next() < 0.5 ? 8 : 80), downMs: 50 + random.below(1_500) }),
    // The step ends about when the promoted standby takes its first commits.
    'failover during a step': (step) =>
      atStep(step, 'is slow', (process) => {
        const downMs = 50 + random.below(1_500);
        process.pause(lasts(downMs + random.below(2_000)));
        failOver({ lostCommits: 20 + random.below(60), downMs });
      }),
    'graph put back': () => {
      const changes = 1 + random.below(60);
      graph.goBack(changes);
      accidents.graphAt.push(world.now());
      note(`the graph goes back by ${changes} changes, to position ${graph.position()}`);
    },
    'graph emptied': () => {
      graph.empty();
      accidents.graphAt.push(world.now());
      note('the graph is emptied');
    },
    'graph down': () => {
      const milliseconds = lasts(random.below(15_000));
      graph.setDown(true);
      note(`the graph is down for ${(milliseconds / 1_000).toFixed(1)} s`);
      world.after(milliseconds, () => {
        graph.setDown(false);
        note('the graph is up');
      });
    },
    'event that the graph cannot apply': () => {
      // Half of them until the event is a dead letter, which is after 8 attempts.
      const milliseconds = lasts(random.next() < 0.5 ? random.below(60_000) : 150_000);
      graph.poisonNext();
      note(`the graph fails for all events of the next changed memory for ${(milliseconds / 1_000).toFixed(1)} s`);
      world.after(milliseconds, () => {
        graph.heal();
        note('the graph takes all events');
      });
    },
    'index put back': () => {
      const changes = 1 + random.below(60);
      index.goBack(changes);
      accidents.indexAt.push(Date.now());
      note(`the index goes back by ${changes} changes`);
    },
    'index emptied': () => {
      index.empty();
      accidents.indexAt.push(Date.now());
      note('the index is emptied');
    },
    'Kafka down': () => {
      const milliseconds = lasts(random.below(20_000));
      broker.setDown(true);
      note(`Kafka is down for ${(milliseconds / 1_000).toFixed(1)} s`);
      world.after(milliseconds, () => {
        broker.setDown(false);
        note('Kafka is up');
      });
    },
    'topic lost': () => {
      broker.loseTopic(EVENT_TOPIC);
      note('Kafka loses the topic of events');
    },
  };
  for (const { kind, at, step } of faults) {
    endAt = Math.max(endAt, at);
    world.after(at, () => inject[kind](step));
  }
  return accidents;
}
