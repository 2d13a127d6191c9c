/** The local Kafka: one process in KRaft mode that is broker and controller. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { portOf } from '../addresses.js';
import { sendToPort } from '../programs/port-probe.js';
import { LaunchError, type Program } from '../programs/program.js';
import { javaServer, type ServerDeps } from '../setup/install-jars.js';
import { runCommand } from '../setup/run-command.js';

const VERSION = '4.1.1';
const FORMAT_TIMEOUT_MS = 60_000;

/** The request ApiVersions, version 0, correlation id 1, no client id. */
const API_VERSIONS = Buffer.from('0000000a0012000000000001ffff', 'hex');
/** The answer after its length of four bytes: the same correlation id, and error 0. */
const NO_ERROR = '000000010000';

export function kafka(deps: ServerDeps): Program {
  const { config, folders, sources, shutdownSignal } = deps;
  const { argumentFile, program } = javaServer('kafka', VERSION, deps);
  const data = folders.data('kafka');
  const logFolder = join(data, 'log');
  const properties = join(folders.run('kafka'), 'server.properties');
  const java = [
    '-Xms128m',
    `-Xmx${config.kafka.heap}`,
    '-XX:+UseSerialGC',
    '-Djava.awt.headless=true',
    ...config.javaOptions,
    `-Dlog4j2.configurationFile=${pathToFileURL(join(sources, 'kafka', 'log4j2.properties')).href}`,
    `@${argumentFile}`,
  ];

  async function configure(): Promise<void> {
    await mkdir(folders.run('kafka'), { recursive: true });
    await mkdir(data, { recursive: true });
    const template = await readFile(join(sources, 'kafka', 'server.properties'), 'utf8');
    const values: Readonly<Record<string, string>> = {
      PORT: String(program.port),
      CONTROLLER_PORT: String(portOf('kafka-controller', config)),
      DATA: logFolder,
    };
    await writeFile(
      properties,
      template.replaceAll(/@([A-Z_]+)@/gu, (mark, name: string) => values[name] ?? mark),
    );
  }

  /** Formats the data folder once. A data folder belongs to one version of Kafka. */
  async function format(): Promise<void> {
    const marker = join(data, 'version');
    if (existsSync(marker)) {
      const version = await readFile(marker, 'utf8');
      if (version === VERSION) return;
      throw new LaunchError(
        `The data of kafka has version ${version}, not ${VERSION}: run "npm run local -- reset kafka" first (the events of the journal are published again)`,
      );
    }
    await rm(logFolder, { recursive: true, force: true });
    // One argument with "=", because an id may begin with a hyphen.
    const cluster = `--cluster-id=${randomBytes(16).toString('base64url')}`;
    await runCommand(
      {
        file: 'java',
        arguments: [
          '-XX:TieredStopAtLevel=1',
          ...java,
          'kafka.tools.StorageTool',
          'format',
          cluster,
          '--config',
          properties,
        ],
      },
      {
        what: 'Kafka could not format its data folder',
        log: folders.log('kafka'),
        timeoutMs: FORMAT_TIMEOUT_MS,
        shutdownSignal,
      },
    );
    await writeFile(marker, VERSION);
  }

  return {
    ...program,
    async launch() {
      await configure();
      await format();
      return { file: 'java', arguments: [...java, 'kafka.Kafka', properties] };
    },
    isHealthy: async (at) => (await sendToPort(at, API_VERSIONS, 10))?.subarray(4).toString('hex') === NO_ERROR,
  };
}
