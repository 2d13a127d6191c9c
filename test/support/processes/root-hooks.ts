/**
 * Mocha hooks for the whole run. They start the real servers that the run asks for, and fail the first test file of a
 * process that leaves a thread, a socket, a server or a child process open, because each of them keeps a real process
 * from ending.
 */
import { relative } from 'node:path';
import type { Context, RootHookObject, Suite } from 'mocha';
import { sharedResources } from '../adapters/shared-embedder.js';
import { closeNotRun, openNotRun } from '../checks/not-run.js';
import { dropIdleDatabases } from '../servers/postgres.js';
import { provideServers } from '../servers/provide-servers.js';

const TRACKED_RESOURCES = ['Worker', 'MessagePort', 'TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap'];
const CLOSE_DEADLINE_MS = 2_000;
const POLL_MS = 20;

function openResources(): string[] {
  const all = process.getActiveResourcesInfo().filter((resource) => TRACKED_RESOURCES.includes(resource));
  return opened(sharedResources(), all);
}

/** The resources of `now` that were not among those open `before`. */
function opened(before: readonly string[], now: readonly string[]): string[] {
  const rest = [...before];
  return now.filter((resource) => {
    const at = rest.indexOf(resource);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** What a file left open may open more, which is not the fault of the next files of the process. */
let isLeaking = false;

export const mochaHooks: RootHookObject = {
  beforeAll(this: Context) {
    const before = openResources();
    const failIfLeftOpen = async ({ file }: Suite): Promise<void> => {
      if (isLeaking) return;
      const deadline = Date.now() + CLOSE_DEADLINE_MS;
      // A closed worker or socket stays in the list for a few turns of the event loop.
      while (opened(before, openResources()).length > 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const left = opened(before, openResources());
      isLeaking = left.length > 0;
      if (isLeaking)
        throw new Error(
          `${relative(process.cwd(), file ?? '')} left resources open (${left.join(', ')}): close each one in the test that opens it`,
        );
    };
    // After the hooks of each suite, because one process may run many files.
    for (const suite of this.test?.parent?.suites ?? [])
      suite.afterAll('leaves nothing open', function () {
        this.timeout(2 * CLOSE_DEADLINE_MS);
        return failIfLeftOpen(suite);
      });
  },
};

/** Mocha calls both hooks with the same `this`. */
type RunContext = { removeServers?: () => Promise<void> };

export async function mochaGlobalSetup(this: RunContext): Promise<void> {
  openNotRun();
  this.removeServers = await provideServers();
}

export async function mochaGlobalTeardown(this: RunContext): Promise<void> {
  try {
    await dropIdleDatabases();
  } finally {
    await this.removeServers?.();
  }
  const line = closeNotRun();
  if (line !== null) process.stdout.write(`${line}\n`);
}
