/**
 * Mocha hooks for the whole run. They start the real servers that the run asks for, and fail the run if its tests leave a thread, a
 * socket, a server or a child process open, because each of them keeps a real process from ending.
 */
import type { RootHookObject } from 'mocha';
import { provideServers } from '../servers/provide-servers.js';

const TRACKED_RESOURCES = ['Worker', 'MessagePort', 'TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap'];
const CLOSE_DEADLINE_MS = 2_000;
const POLL_MS = 20;

function leftOpen(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => TRACKED_RESOURCES.includes(resource));
}

export const mochaHooks: RootHookObject = {
  async afterAll() {
    const deadline = Date.now() + CLOSE_DEADLINE_MS;
    // A closed worker or socket stays in the list for a few turns of the event loop.
    while (leftOpen().length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const left = leftOpen();
    if (left.length > 0)
      throw new Error(`The tests left resources open (${left.join(', ')}): close each one in the test that opens it`);
  },
};

/** Mocha calls both hooks with the same `this`. */
type RunContext = { removeServers?: () => Promise<void> };

export async function mochaGlobalSetup(this: RunContext): Promise<void> {
  this.removeServers = await provideServers();
}

export async function mochaGlobalTeardown(this: RunContext): Promise<void> {
  await this.removeServers?.();
}
