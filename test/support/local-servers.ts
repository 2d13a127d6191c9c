/**
 * The real servers as `deploy/local` runs them, beside any stack of the person who tests: a state folder and ports of their own. The
 * fault tests break them one by one.
 */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressesOf, testVariables } from '../../deploy/local/addresses.js';
import { choosePrograms } from '../../deploy/local/choose-programs.js';
import { localConfig, type LocalConfig } from '../../deploy/local/config.js';
import { createLocal, type Local } from '../../deploy/local/create-local.js';
import type { Stack } from '../../deploy/local/create-stack.js';
import type { Environment } from '../../shared/kernel/config.js';
import type { ServerName } from './servers.js';
import { REPOSITORY } from './source-files.js';

/** Below the ports that systems hand out by themselves. */
const PORT_OFFSET = '20000';
/** Tests start servers more often than they ask much of them. */
const QUICK_START = '-XX:TieredStopAtLevel=1';

/** What `npm run local` would have to be told to look after the servers of the tests. */
export function localServerVariables(
  environment: Environment = process.env,
): Readonly<Record<'LOCAL_DIR' | 'LOCAL_PORT_OFFSET' | 'LOCAL_JAVA_OPTIONS', string>> {
  const ofThisClone = `palimpsest-servers-${createHash('sha256').update(REPOSITORY).digest('hex').slice(0, 8)}`;
  return {
    LOCAL_DIR: environment['PALIMPSEST_TEST_LOCAL_DIR'] || join(tmpdir(), ofThisClone),
    LOCAL_PORT_OFFSET: environment['PALIMPSEST_TEST_LOCAL_PORT_OFFSET'] || PORT_OFFSET,
    LOCAL_JAVA_OPTIONS: QUICK_START,
  };
}

/** Brings the four of them up, installing what is missing, and resolves with the variables that name them to the tests. */
export async function startLocalServers(say: (line: string) => void): Promise<Readonly<Record<string, string>>> {
  const { stack, programs } = await local(say);
  const servers = choosePrograms(programs, ['servers']);
  await stack.up(servers).catch(async (error: unknown) => {
    await stack.down(servers);
    throw error;
  });
  return testVariables(addressesOf(config()));
}

/** Stops them and deletes what the tests left in them. */
export async function removeLocalServers(): Promise<void> {
  const { stack, programs } = await local();
  await stack.reset(choosePrograms(programs, ['servers']));
}

/** SIGKILL. */
export const killServer = (name: ServerName): Promise<void> => change('kill', name);
/** Starts what was killed, and resolves when it is well. */
export const startServer = (name: ServerName): Promise<void> => change('start', name);
/** SIGSTOP: it accepts connections and never answers. */
export const pauseServer = (name: ServerName): Promise<void> => change('pause', name);
export const resumeServer = (name: ServerName): Promise<void> => change('resume', name);

async function change(how: keyof Pick<Stack, 'kill' | 'start' | 'pause' | 'resume'>, name: ServerName): Promise<void> {
  const { stack, programs } = await local();
  await stack[how](choosePrograms(programs, [name]));
}

function config(): LocalConfig {
  return localConfig(localServerVariables(), REPOSITORY);
}

function local(say: (line: string) => void = () => undefined): Promise<Local> {
  return createLocal({
    config: config(),
    environment: process.env,
    repository: REPOSITORY,
    say,
    told: new AbortController().signal,
  });
}
