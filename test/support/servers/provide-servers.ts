/** Starts the real servers that a test run asks for, and prints which of them the run lacks. */
import { removeLocalServers, startLocalServers } from './local-servers.js';
import { isServerWanted, type ServerName, SERVERS } from './servers.js';

/** Resolves with the function that removes the started servers. */
export async function provideServers(): Promise<() => Promise<void>> {
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  const mode = process.env['PALIMPSEST_TEST_SERVERS'] ?? '';
  switch (mode) {
    case 'local': {
      Object.assign(process.env, await startLocalServers(print));
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
      if (missing.length > 0) print(missingServersNotice(missing));
      return keepServers;
    }
    default:
      throw new Error(`PALIMPSEST_TEST_SERVERS is ${JSON.stringify(mode)}: use local or docker`);
  }
}

function missingServersNotice(names: readonly ServerName[]): string {
  return `This run skips the tests on a real ${names.join(', ')}. Set PALIMPSEST_TEST_SERVERS=local (needs Java 17, Maven, Python 3) or =docker to start all of them, or name your own servers in ${Object.values(
    SERVERS,
  )
    .map(({ address }) => address)
    .join(', ')}.`;
}

function keepServers(): Promise<void> {
  return Promise.resolve();
}
