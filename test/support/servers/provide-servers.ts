/** Starts the real servers that a test run asks for, and notes which of them the run lacks. */
import { addNotRun } from '../checks/not-run.js';
import { removeLocalServers, startLocalServers } from './local-servers.js';
import { isServerWanted, type ServerName, SERVERS } from './servers.js';

/** Resolves with the function that removes the started servers. */
export async function provideServers(): Promise<() => Promise<void>> {
  const mode = process.env['PALIMPSEST_TEST_SERVERS'] ?? '';
  switch (mode) {
    case 'local': {
      Object.assign(process.env, await startLocalServers((line) => void process.stderr.write(`${line}\n`)));
      return process.env['PALIMPSEST_TEST_SERVERS_KEEP'] === '1' ? keepServers : removeLocalServers;
    }
    case 'docker': {
      // Loaded here because loading takes half a second, and other runs do not need it.
      const { startDockerServers } = await import('./docker-servers.js');
      const { variables, stop } = await startDockerServers();
      Object.assign(process.env, variables);
      return stop;
    }
    case '': {
      const missing = (Object.keys(SERVERS) as ServerName[]).filter((name) => !isServerWanted(name));
      if (missing.length > 0) addNotRun(missingServers(missing));
      return keepServers;
    }
    default:
      throw new Error(`PALIMPSEST_TEST_SERVERS is ${JSON.stringify(mode)}: use local or docker`);
  }
}

function missingServers(names: readonly ServerName[]): string {
  return `tests on a real ${names.join(', ')}: set PALIMPSEST_TEST_SERVERS=local (needs Java 17, Maven and Python 3; see deploy/docs/testing.md)`;
}

function keepServers(): Promise<void> {
  return Promise.resolve();
}
