/** Before the first test: brings up the real servers that the run asks for, and says which of them it will not meet. */
import { removeLocalServers, startLocalServers } from './local-servers.js';
import { isServerWanted, SERVERS, type ServerName } from './servers.js';

/** Resolves with what takes away again what was brought up. */
export async function provideServers(): Promise<() => Promise<void>> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const mode = process.env['PALIMPSEST_TEST_SERVERS'] ?? '';
  switch (mode) {
    case 'local': {
      Object.assign(process.env, await startLocalServers(say));
      return process.env['PALIMPSEST_TEST_SERVERS_KEEP'] === '1' ? keep : removeLocalServers;
    }
    case 'docker': {
      // Takes half a second to load, which other runs need not wait for.
      const { startDockerServers } = await import('./docker-servers.js');
      const { variables, stop } = await startDockerServers();
      Object.assign(process.env, variables);
      return stop;
    }
    case '': {
      const missing = (Object.keys(SERVERS) as ServerName[]).filter((name) => !isServerWanted(name));
      if (missing.length > 0) say(unmet(missing));
      return keep;
    }
    default:
      throw new Error(`PALIMPSEST_TEST_SERVERS must be local or docker, not ${JSON.stringify(mode)}`);
  }
}

function unmet(names: readonly ServerName[]): string {
  return `Not met in this run: a real ${names.join(', ')}. PALIMPSEST_TEST_SERVERS=local (Java 17, Maven, Python 3) or =docker brings all of them up; ${SERVERS.postgres.address} and its like name your own.`;
}

function keep(): Promise<void> {
  return Promise.resolve();
}
