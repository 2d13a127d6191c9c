/** Runs the simulated deployment with one seed: callers and faults, then quiet, then the checks. */
import type { JournalMark } from '../../shared/contract/envelope.js';
import { ALL_FAULTS, type Choice, planFaults, type PlannedFault, startFaults } from './faults.js';
import { startCallers } from './fleet/callers.js';
import { startFleet } from './fleet/fleet.js';
import { EVENT_TOPIC } from './fleet/processes.js';
import { startReaders } from './fleet/readers.js';
import { type EarlyPoint, findViolations } from './invariants.js';
import { replaceKafkajs } from './kafka/replace-kafkajs.js';
import { createSimulatedBroker } from './kafka/simulated-broker.js';
import { createSimulatedServer, type SimulatedServer } from './postgres/simulated-server.js';
import { createSimulatedGraph } from './stores/simulated-graph.js';
import { createSimulatedIndex } from './stores/simulated-index.js';
import type { Violation } from './violation.js';
import { watchRun } from './watch-run.js';
import { createWorld, type Entry } from './world/world.js';

export type SeedResult = {
  readonly seed: number;
  readonly faults: readonly PlannedFault[];
  readonly violations: readonly Violation[];
  /** The first violation's schedule; empty without one. */
  readonly schedule: readonly Entry[];
  readonly steps: number;
  readonly acknowledged: number;
  readonly refused: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
};

const CALLERS_STOP_MS = 14_000;
/** After the last fault all is quiet within this time: longer than a lease, a backoff and a session together. */
const QUIET_MS = 150_000;
/** A run ends early when nothing waits any more for this time, in which each comparison runs several times. */
const SETTLED_MS = 6_000;

export async function runSeed(seed: number, choice: Choice = ALL_FAULTS): Promise<SeedResult> {
  const world = createWorld(seed);
  const broker = createSimulatedBroker(world);
  const restoreKafkajs = replaceKafkajs(world, broker);
  try {
    const faults = planFaults(world, choice);
    const graph = createSimulatedGraph(world);
    const earlyPoints: EarlyPoint[] = [];
    const index = createSimulatedIndex(world, ({ id, version, process }) => {
      const graphVersion = graph.state().nodes.get(id)?.version ?? 0;
      if (graphVersion < version) earlyPoints.push({ at: world.now(), id, version, graphVersion, process });
    });
    const engines = { world, server: createSimulatedServer(world), graph, index, broker };
    const fleet = startFleet(engines);
    const accidents = startFaults({ engines, fleet, faults });
    const watch = watchRun({ world, server: engines.server, accidents });
    broker.onAppended((topic, record) => {
      if (topic === EVENT_TOPIC) watch.appended(record);
    });
    const callers = startCallers({ world, fleet, onAcknowledged: watch.acknowledged });
    const readers = startReaders({ world, fleet, callers, server: engines.server });
    world.after(CALLERS_STOP_MS, () => {
      callers.stop();
      readers.stop();
    });
    const lag = (): number => (broker.topics().includes(EVENT_TOPIC) ? broker.lag(EVENT_TOPIC) : 0);
    const isWaiting = (): boolean =>
      world.now() < Math.max(CALLERS_STOP_MS, accidents.endAt()) ||
      engines.server.count('outbox') + engines.server.count('outbox_pending') + lag() > 0 ||
      fleet.apis().some(({ problem }) => problem()?.startsWith('The graph was'));
    for (let settledAt = 0; world.now() - settledAt < SETTLED_MS;) {
      if (!(await world.step())) break;
      if (isWaiting()) settledAt = world.now();
      if (world.now() > Math.max(CALLERS_STOP_MS, accidents.endAt()) + QUIET_MS) break;
    }
    const problems = fleet.apis().flatMap(({ problem }) => problem() ?? []);
    const violations = findViolations({
      server: engines.server,
      graph: graph.state(),
      records: watch.records,
      points: index.points(),
      earlyPoints,
      wrongReads: readers.wrong,
      lag: lag(),
      isIndexForeign: isForeign(index.mark(), engines.server),
      accidents,
      problems,
    });
    const started: readonly Violation[] =
      callers.acknowledged.length > 0
        ? []
        : [{ invariant: 'the simulation starts', found: 'no write was acknowledged', about: 'api' }];
    return {
      seed,
      faults,
      violations: [...started, ...watch.end(), ...violations],
      schedule: world.entries,
      steps: world.steps(),
      acknowledged: callers.acknowledged.length,
      refused: callers.refused,
      problems,
    };
  } finally {
    restoreKafkajs();
    world.close();
  }
}

/** Whether the mark of the index has an event that the journal lacks. */
function isForeign(mark: JournalMark | null, server: SimulatedServer): boolean {
  return mark !== null && mark.eventId !== null && server.find('journal', mark.position)?.event_id !== mark.eventId;
}
