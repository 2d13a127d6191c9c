/** A world without virtual time and faults, for the contract suites over the simulated engines. */
import { seededRandom } from '../../support/fixtures/random.js';
import type { SimulatedProcess, World } from './world.js';

export function createDirectWorld(): World {
  const process: SimulatedProcess = {
    name: 'test',
    enter: (run) => run(),
    send: (request) => request(),
    isCrashed: () => false,
    isPaused: () => false,
    crash: () => undefined,
    pause: () => undefined,
    onCrash: () => undefined,
  };
  return {
    random: seededRandom(1),
    now: () => performance.now(),
    step: () => Promise.resolve(false),
    steps: () => 0,
    after: (delayMs, run) => void setTimeout(run, delayMs).unref(),
    startProcess: () => process,
    currentProcess: () => process,
    atAnswer: () => undefined,
    // A turn of the event loop, as between two messages of a connection.
    call: async (_, __, serve) => {
      await new Promise((resolve) => setImmediate(resolve));
      return serve();
    },
    record: () => undefined,
    entries: [],
    close: () => undefined,
  };
}
