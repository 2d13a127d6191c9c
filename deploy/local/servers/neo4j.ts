/** Neo4j Community as a process of its own, spoken to over Bolt alone. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askPort } from '../ask-port.js';
import { writeArgumentFile } from '../install-jars.js';
import { portOf, portVariable } from '../ports.js';
import type { Command, Program } from '../program.js';
import { runCommand } from '../run-command.js';
import type { ServerDeps } from './server-deps.js';

export const NEO4J_USER = 'neo4j';
export const NEO4J_PASSWORD = 'palimpsest-local';
const VERSION = '5.26.31';
const ADMIN_TIMEOUT_MS = 60_000;

/** Bolt's greeting and four versions to choose from: 5.4, and nothing else. */
const HANDSHAKE = Buffer.from('6060b01700000405000000000000000000000000', 'hex');
const ACCEPTED = '00000405';

/** As Neo4j's own launcher sets them; it alone reads heap sizes from the configuration, so they are given here. */
const JAVA_OPTIONS = [
  '-XX:+UseG1GC',
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

export function neo4j({ config, folders, sources, jars, environment, told }: ServerDeps): Program {
  const port = portOf('neo4j', config);
  const data = folders.data('neo4j');
  const configuration = join(folders.run('neo4j'), 'conf');
  const argumentFile = join(folders.cache, `neo4j-${VERSION}.args`);

  async function configure(): Promise<void> {
    for (const folder of ['data', 'logs', 'import', 'plugins', 'run'])
      await mkdir(join(data, folder), { recursive: true });
    await mkdir(configuration, { recursive: true });
    const template = await readFile(join(sources, 'neo4j', 'neo4j.conf'), 'utf8');
    await writeFile(
      join(configuration, 'neo4j.conf'),
      template.replaceAll('@PORT@', String(port)).replaceAll('@PAGE_CACHE@', config.neo4j.pageCache),
    );
  }

  /** The password can be set before the first start alone. */
  async function setPassword(): Promise<void> {
    const mark = join(data, 'password-is-set');
    if (existsSync(mark)) return;
    const admin: Command = {
      file: 'java',
      arguments: [
        '-XX:TieredStopAtLevel=1',
        `@${argumentFile}`,
        'org.neo4j.cli.AdminTool',
        'dbms',
        'set-initial-password',
        NEO4J_PASSWORD,
      ],
      environment: { ...environment, NEO4J_HOME: data, NEO4J_CONF: configuration },
    };
    await runCommand(admin, {
      what: 'Neo4j refused its first password',
      log: folders.log('neo4j'),
      timeoutMs: ADMIN_TIMEOUT_MS,
      told,
    });
    await writeFile(mark, '');
  }

  return {
    name: 'neo4j',
    kind: 'server',
    port,
    portVariable: portVariable('neo4j'),
    stopSignal: 'SIGTERM',
    dataFolders: [data],
    tools: ['java', 'mvn'],
    async install() {
      await writeArgumentFile(
        argumentFile,
        await jars.install({
          name: `neo4j-${VERSION}`,
          pom: join(sources, 'neo4j', 'pom.xml'),
          properties: { 'neo4j.version': VERSION },
        }),
      );
    },
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
    isHealthy: async (at) => (await askPort(at, HANDSHAKE, 4))?.toString('hex') === ACCEPTED,
  };
}
