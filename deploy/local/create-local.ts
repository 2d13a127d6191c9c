/** Puts the launcher together: every program that can run on this machine, and the stack that looks after them. */
import { join } from 'node:path';
import type { Environment } from '../../shared/kernel/config.js';
import type { LocalConfig } from './config.js';
import { createStack, type Stack } from './create-stack.js';
import { foldersIn, type Folders } from './folders.js';
import { gateway } from './gateway.js';
import { createJarInstaller } from './install-jars.js';
import { openFolder } from './open-folder.js';
import { createProcessRecords } from './process-record.js';
import { migration, processes, runningInstances } from './processes.js';
import type { Program } from './program.js';
import { runCommand } from './run-command.js';
import { kafka } from './servers/kafka.js';
import { neo4j } from './servers/neo4j.js';
import { postgres } from './servers/postgres.js';
import { qdrant } from './servers/qdrant.js';

const MIGRATION_TIMEOUT_MS = 3 * 60_000;

export type LocalDeps = {
  readonly config: LocalConfig;
  readonly environment: Environment;
  /** The root of the repository: templates stay beside the sources. */
  readonly repository: string;
  readonly say: (line: string) => void;
  /** Ends what is under way when it is aborted; a stack can be taken down all the same. */
  readonly told: AbortSignal;
};

export type Local = { readonly programs: readonly Program[]; readonly stack: Stack; readonly folders: Folders };

export async function createLocal({ config: wanted, environment, repository, say, told }: LocalDeps): Promise<Local> {
  const folders = foldersIn(wanted.folder);
  const records = createProcessRecords(folders);
  // Those that run are looked after, also by a command that was not told of so many.
  const config = { ...wanted, instances: Math.max(wanted.instances, await runningInstances(records)) };
  const sources = join(repository, 'deploy', 'local');
  const compiled = join(repository, 'dist');
  const server = {
    config,
    folders,
    sources,
    environment,
    say,
    told,
    jars: createJarInstaller({ folders, environment, say, told }),
  };
  const open = await openFolder(folders.root);
  const programs = [
    ...[neo4j(server), kafka(server), postgres(server, open), qdrant(server)],
    ...processes({ config, environment, compiled }),
    gateway({ config, environment, compiled, open }),
  ];
  const migrate = (): Promise<void> =>
    runCommand(migration({ config, environment, compiled }), {
      what: 'The servers could not be made ready',
      log: folders.log('migrate'),
      timeoutMs: MIGRATION_TIMEOUT_MS,
      told,
    });
  const stack = createStack({ folders, records, migrate, path: environment['PATH'] ?? '', say, told });
  return { programs, stack, folders };
}
