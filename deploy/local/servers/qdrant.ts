/** The local Qdrant: the engine behind a subset of the REST API, in a Python environment of its own. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { portOf } from '../addresses.js';
import { isReadyOverHttp } from '../programs/port-probe.js';
import { LaunchError, type Program } from '../programs/program.js';
import type { ServerDeps } from '../setup/install-jars.js';
import { runCommand, tryCommand } from '../setup/run-command.js';

const ATTEMPTS = 3;
const RETRY_STEP_MS = 5_000;
const INSTALL_TIMEOUT_MS = 10 * 60_000;

export function qdrant({ config, folders, sources, report, shutdownSignal }: ServerDeps): Program {
  const port = portOf('qdrant', config);
  const data = folders.data('qdrant');
  const requirements = join(sources, 'qdrant', 'requirements.txt');
  const environment = join(folders.cache, 'qdrant');
  const python = join(environment, 'bin', 'python');
  const log = join(folders.cache, 'qdrant.pip.log');

  async function fetchEngine(): Promise<void> {
    report('downloading the Qdrant engine from PyPI');
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const pip = [
        '-m',
        'pip',
        'install',
        '-q',
        '--disable-pip-version-check',
        '--only-binary',
        ':all:',
        '-r',
        requirements,
      ];
      if (await tryCommand({ file: python, arguments: pip }, { log, timeoutMs: INSTALL_TIMEOUT_MS, shutdownSignal }))
        return;
      if (attempt < ATTEMPTS) await pause(attempt * RETRY_STEP_MS, undefined, { signal: shutdownSignal });
    }
    throw new LaunchError(
      `The Qdrant engine cannot be downloaded from PyPI: check that this machine reaches it and has glibc 2.28 or later (its wheels need that), then run this again; pip's output is in ${log}`,
    );
  }

  return {
    name: 'qdrant',
    kind: 'server',
    port,
    stopSignal: 'SIGTERM',
    dataFolders: [data],
    tools: ['python3'],
    async install() {
      const wanted = await readFile(requirements, 'utf8');
      const marker = join(environment, 'requirements.txt');
      if ((await readFile(marker, 'utf8').catch(() => '')) === wanted) return;
      await rm(environment, { recursive: true, force: true });
      await runCommand(
        { file: 'python3', arguments: ['-m', 'venv', environment] },
        {
          what: 'python3 cannot create a virtual environment: install its venv module (Debian: python3-venv)',
          log,
          timeoutMs: INSTALL_TIMEOUT_MS,
          shutdownSignal,
        },
      );
      await fetchEngine();
      await writeFile(marker, wanted);
    },
    async launch() {
      await mkdir(data, { recursive: true });
      return {
        file: python,
        arguments: ['-B', join(sources, 'qdrant', 'qdrant_edge_server.py'), '--dir', data, '--port', String(port)],
      };
    },
    isHealthy: (at) => isReadyOverHttp(at, '/readyz'),
  };
}
