/**
 * What holds for a run as a whole: it has the real servers that it asks for, and it fails when its tests leave a thread, a server or a
 * timer behind, for each would keep a real process from ending.
 */
import type { RootHookObject } from 'mocha';
import { provideServers } from './provide-servers.js';

const LEFT_OPEN = ['Worker', 'MessagePort', 'TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap'];
const PATIENCE_MS = 2_000;
const POLL_MS = 20;

function leftOpen(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => LEFT_OPEN.includes(resource));
}

export const mochaHooks: RootHookObject = {
  async afterAll() {
    const until = Date.now() + PATIENCE_MS;
    // A closed worker or socket leaves the list only some turns of the event loop later.
    while (leftOpen().length > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const left = leftOpen();
    if (left.length > 0)
      throw new Error(`The tests left something running (${left.join(', ')}): close what each of them opens`);
  },
};

/** Mocha gives both of these the same `this`. */
type RunContext = { removeServers?: () => Promise<void> };

export async function mochaGlobalSetup(this: RunContext): Promise<void> {
  this.removeServers = await provideServers();
}

export async function mochaGlobalTeardown(this: RunContext): Promise<void> {
  await this.removeServers?.();
}
