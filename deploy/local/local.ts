/** Composes the launcher: every program that it can run on this machine, and the stack that starts and stops them. */
import { join } from 'node:path';
import type { Environment } from '../../shared/kernel/config/config.js';
import type { LocalConfig } from './config.js';
import { type Folders, foldersIn } from './folders.js';
import { createProcessRecords } from './programs/process-record.js';
import { gateway, migration, processes, runningInstances } from './programs/processes.js';
import type { Program } from './programs/program.js';
import { kafka } from './servers/kafka.js';
import { neo4j } from './servers/neo4j.js';
import { postgres } from './servers/postgres.js';
import { qdrant } from './servers/qdrant.js';
import { findAccessibleFolder } from './setup/accessible-folder.js';
import { createJarInstaller } from './setup/install-jars.js';
import { runCommand } from './setup/run-command.js';
import { createStack, type Stack } from './stack.js';

const MIGRATION_TIMEOUT_MS = 3 * 60_000;

export type LocalDeps = {
  readonly config: LocalConfig;
  readonly environment: Environment;
  /** The root of the repository: configuration templates are read from its source folders. */
  readonly repository: string;
  readonly report: (line: string) => void;
  /** Aborts running starts and installations; the stack can still be stopped afterwards. */
  readonly shutdownSignal: AbortSignal;
};

export type Local = { readonly programs: readonly Program[]; readonly stack: Stack; readonly folders: Folders };

export async function createLocal({
  config: wanted,
  environment,
  repository,
  report,
  shutdownSignal,
}: LocalDeps): Promise<Local> {
  const folders = foldersIn(wanted.folder);
  const records = createProcessRecords(folders);
  // All running instances are managed, also by a command whose LOCAL_INSTANCES is smaller.
  const config = { ...wanted, instances: Math.max(wanted.instances, await runningInstances(records)) };
  const sources = join(repository, 'deploy', 'local');
  const server = {
    config,
    folders,
    sources,
    environment,
    report,
    shutdownSignal,
    jars: createJarInstaller({ folders, environment, report, shutdownSignal }),
  };
  const ours = { config, environment, compiled: join(repository, 'dist') };
  const open = await findAccessibleFolder(folders.root);
  const programs = [
    ...[neo4j(server), kafka(server), postgres(server, open), qdrant(server)],
    ...processes(ours),
    gateway(ours, open),
  ];
  const migrate = (): Promise<void> =>
    runCommand(migration(ours), {
      what: 'The migration of the servers failed',
      log: folders.log('migrate'),
      timeoutMs: MIGRATION_TIMEOUT_MS,
      shutdownSignal,
    });
  const stack = createStack({ folders, records, migrate, path: environment['PATH'] ?? '', report, shutdownSignal });
  return { programs, stack, folders };
}
