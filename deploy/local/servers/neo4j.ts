/** The local Neo4j Community, a process of its own that clients use over Bolt only. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NEO4J_PASSWORD } from '../addresses.js';
import type { Folders } from '../folders.js';
import { sendToPort } from '../programs/port-probe.js';
import type { Command, Program } from '../programs/program.js';
import { argumentFileOf, javaServer, type ServerDeps } from '../setup/install-jars.js';
import { runCommand } from '../setup/run-command.js';

const VERSION = '5.26.31';
const ADMIN_TIMEOUT_MS = 60_000;

/** Bolt's magic bytes and its four proposed versions: 5.4, and three empty ones. */
const HANDSHAKE = Buffer.from('6060b01700000405000000000000000000000000', 'hex');
const ACCEPTED = '00000405';

/**
 * The options of Neo4j's own launcher, which alone reads heap sizes from the configuration, with the collector for
 * small heaps. With `-XX:TieredStopAtLevel=1` Java keeps only 48 MB of compiled code, which Neo4j fills: methods are
 * dropped and compiled again.
 */
const JAVA_OPTIONS = [
  '-XX:+UseSerialGC',
  '-XX:ReservedCodeCacheSize=240m',
  '-XX:-OmitStackTraceInFastThrow',
  '-XX:+DisableExplicitGC',
  '-Djdk.nio.maxCachedBufferSize=1024',
  '-Dio.netty.tryReflectionSetAccessible=true',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/java.io=ALL-UNNAMED',
  '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent=ALL-UNNAMED',
  '--enable-native-access=ALL-UNNAMED',
  '-Dlog4j2.disable.jmx=true',
  '-Djava.awt.headless=true',
  '-Dfile.encoding=UTF-8',
];

/** Runs a command of `neo4j-admin` on the local server while it is stopped. */
export async function runNeo4jAdmin(
  args: readonly string[],
  { folders, environment, shutdownSignal }: Pick<ServerDeps, 'folders' | 'environment' | 'shutdownSignal'>,
): Promise<void> {
  const admin: Command = {
    file: 'java',
    arguments: [
      '-XX:TieredStopAtLevel=1',
      `@${argumentFileOf('neo4j', VERSION, folders)}`,
      'org.neo4j.cli.AdminTool',
      ...args,
    ],
    environment: { ...environment, NEO4J_HOME: folders.data('neo4j'), NEO4J_CONF: configurationOf(folders) },
  };
  const what = `neo4j-admin ${args.slice(0, 2).join(' ')} failed`;
  await runCommand(admin, { what, log: folders.log('neo4j'), timeoutMs: ADMIN_TIMEOUT_MS, shutdownSignal });
}

const configurationOf = (folders: Folders): string => join(folders.run('neo4j'), 'conf');

export function neo4j(deps: ServerDeps): Program {
  const { config, folders, sources } = deps;
  const { argumentFile, program } = javaServer('neo4j', VERSION, deps);
  const data = folders.data('neo4j');
  const configuration = configurationOf(folders);

  async function configure(): Promise<void> {
    for (const folder of ['data', 'logs', 'import', 'plugins', 'run'])
      await mkdir(join(data, folder), { recursive: true });
    await mkdir(configuration, { recursive: true });
    const template = await readFile(join(sources, 'neo4j', 'neo4j.conf'), 'utf8');
    await writeFile(
      join(configuration, 'neo4j.conf'),
      template
        .replaceAll('@PORT@', String(program.port))
        .replaceAll('@PAGE_CACHE@', config.neo4j.pageCache)
        .replaceAll('@REPLAN_INTERVAL@', config.neo4j.replanInterval),
    );
  }

  /** Neo4j accepts the initial password before its first start only. */
  async function setPassword(): Promise<void> {
    const marker = join(data, 'password-is-set');
    if (existsSync(marker)) return;
    await runNeo4jAdmin(['dbms', 'set-initial-password', NEO4J_PASSWORD], deps);
    await writeFile(marker, '');
  }

  return {
    ...program,
    async launch() {
      await configure();
      await setPassword();
      return {
        file: 'java',
        arguments: [
          '-Xms256m',
          `-Xmx${config.neo4j.heap}`,
          ...JAVA_OPTIONS,
          ...config.javaOptions,
          `@${argumentFile}`,
          'org.neo4j.server.CommunityEntryPoint',
          `--home-dir=${data}`,
          `--config-dir=${configuration}`,
          '--console-mode',
        ],
      };
    },
    isHealthy: async (at) => (await sendToPort(at, HANDSHAKE, 4))?.toString('hex') === ACCEPTED,
  };
}
