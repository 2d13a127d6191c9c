/**
 * The real servers as `deploy/local` runs them, with a state folder and ports of their own, separate from any local
 * stack of the developer. The fault tests kill and pause them one by one.
 */
import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressesOf, testVariables } from '../../../deploy/local/addresses.js';
import { choosePrograms } from '../../../deploy/local/command-line.js';
import { type LocalConfig, localConfig } from '../../../deploy/local/config.js';
import { createLocal, type Local } from '../../../deploy/local/local.js';
import type { Program } from '../../../deploy/local/programs/program.js';
import { runNeo4jAdmin } from '../../../deploy/local/servers/neo4j.js';
import type { Stack } from '../../../deploy/local/stack.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { REPOSITORY } from '../checks/source-files.js';
import type { ServerName } from './servers.js';

/** Below the ephemeral ports that operating systems assign. */
const PORT_OFFSET = '20000';
/** Tests start servers often and put little load on them, so a fast JVM start matters more than peak speed. */
const FAST_START_OPTIONS = '-XX:TieredStopAtLevel=1';
/** Tests delete all data often. Each time Neo4j would plan every query again, because the statistics have changed. */
const REPLAN_INTERVAL = '1d';

/** The variables with which `npm run local` manages the servers of the tests. */
export function localServerVariables(
  environment: Environment = process.env,
): Readonly<Record<'LOCAL_DIR' | 'LOCAL_PORT_OFFSET' | 'LOCAL_JAVA_OPTIONS' | 'LOCAL_NEO4J_REPLAN_INTERVAL', string>> {
  const cloneFolder = `palimpsest-servers-${createHash('sha256').update(REPOSITORY).digest('hex').slice(0, 8)}`;
  return {
    LOCAL_DIR: environment['PALIMPSEST_TEST_LOCAL_DIR'] || join(tmpdir(), cloneFolder),
    LOCAL_PORT_OFFSET: environment['PALIMPSEST_TEST_LOCAL_PORT_OFFSET'] || PORT_OFFSET,
    LOCAL_JAVA_OPTIONS: FAST_START_OPTIONS,
    LOCAL_NEO4J_REPLAN_INTERVAL: REPLAN_INTERVAL,
  };
}

/**
 * Installs what is missing, starts all four, and resolves with the variables that hold their addresses for the tests.
 */
export async function startLocalServers(print: (line: string) => void): Promise<Readonly<Record<string, string>>> {
  const { stack, programs } = await local(print);
  const servers = choosePrograms(programs, ['servers']);
  await stack.up(servers).catch(async (error: unknown) => {
    await stack.down(servers);
    throw error;
  });
  return testVariables(addressesOf(config()));
}

/** Stops all four and deletes their data. */
export async function removeLocalServers(): Promise<void> {
  const { stack, programs } = await local();
  await stack.reset(choosePrograms(programs, ['servers']));
}

/** Sends SIGKILL. */
export const killServer = (name: ServerName): Promise<void> => change('kill', name);
/** Starts a killed server and resolves when it is healthy. */
export const startServer = (name: ServerName): Promise<void> => change('start', name);
/** Sends SIGSTOP: the server accepts connections and never answers. */
export const pauseServer = (name: ServerName): Promise<void> => change('pause', name);
export const resumeServer = (name: ServerName): Promise<void> => change('resume', name);

/** Stops Neo4j, writes all of its data to a new folder, and starts it again. Returns the folder. */
export async function dumpNeo4j(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'neo4j-dump-'));
  await administerNeo4j(['database', 'dump', 'neo4j', `--to-path=${folder}`]);
  return folder;
}

/** Stops Neo4j, replaces all of its data with the dump in this folder, and starts it again. */
export const loadNeo4jDump = (folder: string): Promise<void> =>
  administerNeo4j(['database', 'load', 'neo4j', `--from-path=${folder}`, '--overwrite-destination=true']);

async function administerNeo4j(args: readonly string[]): Promise<void> {
  const { stack, programs, folders } = await local();
  const neo4j = choosePrograms(programs, ['neo4j']);
  await stack.down(neo4j);
  try {
    const shutdownSignal = new AbortController().signal;
    await runNeo4jAdmin(args, { folders, environment: process.env, shutdownSignal });
  } finally {
    await stack.start(neo4j);
  }
}

/** One more Neo4j, empty, with ports and a folder of its own. `stop` also deletes its data. */
export async function startSecondNeo4j(): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const { LOCAL_DIR, LOCAL_PORT_OFFSET, ...variables } = localServerVariables();
  const second = { LOCAL_DIR: `${LOCAL_DIR}-second`, LOCAL_PORT_OFFSET: String(Number(LOCAL_PORT_OFFSET) + 1) };
  const { stack, programs } = await local(undefined, localConfig({ ...variables, ...second }, REPOSITORY));
  const neo4j = choosePrograms(programs, ['neo4j']);
  const [port = 0] = neo4j.map((program) => program.port);
  await stack.reset(neo4j);
  await stack.up(neo4j);
  return { port, stop: () => stack.reset(neo4j) };
}

/** The folder with the data of a server. */
export const localDataFolder = (name: ServerName): string => join(config().folder, 'data', name);

/** The launcher's program of a server: the file that it runs, its arguments and its user. */
export async function localProgram(name: ServerName): Promise<Program> {
  const [program] = choosePrograms((await local()).programs, [name]);
  if (program === undefined) throw new Error(`The launcher has no program named ${name}`);
  return program;
}

export async function isServerRunning(name: ServerName): Promise<boolean> {
  const { stack, programs } = await local();
  const [status] = await stack.status(choosePrograms(programs, [name]));
  return status?.state !== 'stopped';
}

async function change(
  action: keyof Pick<Stack, 'kill' | 'start' | 'pause' | 'resume'>,
  name: ServerName,
): Promise<void> {
  const { stack, programs } = await local();
  await stack[action](choosePrograms(programs, [name]));
}

function config(): LocalConfig {
  return localConfig(localServerVariables(), REPOSITORY);
}

function local(say: (line: string) => void = () => undefined, of: LocalConfig = config()): Promise<Local> {
  return createLocal({
    config: of,
    environment: process.env,
    repository: REPOSITORY,
    report: say,
    shutdownSignal: new AbortController().signal,
  });
}
