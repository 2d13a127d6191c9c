/** Puts the launcher together: every program that can run on this machine, and the stack that looks after them. */
import { join } from 'node:path';
import type { Environment } from '../../shared/kernel/config.js';
import type { LocalConfig } from './config.js';
import { createStack, type Stack } from './create-stack.js';
import { foldersIn, type Folders } from './folders.js';
import { createJarInstaller } from './install-jars.js';
import { openFolder } from './open-folder.js';
import { createProcessRecords } from './process-record.js';
import type { Program } from './program.js';
import { kafka } from './servers/kafka.js';
import { neo4j } from './servers/neo4j.js';
import { postgres } from './servers/postgres.js';
import { qdrant } from './servers/qdrant.js';

export type LocalDeps = {
  readonly config: LocalConfig;
  readonly environment: Environment;
  /** The root of the repository: templates stay beside the sources. */
  readonly repository: string;
  readonly say: (line: string) => void;
};

export type Local = { readonly programs: readonly Program[]; readonly stack: Stack; readonly folders: Folders };

export async function createLocal({ config, environment, repository, say }: LocalDeps): Promise<Local> {
  const folders = foldersIn(config.folder);
  const deps = { config, folders, environment, say, sources: join(repository, 'deploy', 'local'), jars: createJarInstaller({ folders, environment, say }) };
  const open = await openFolder(folders.root);
  const programs = [neo4j(deps), kafka(deps), postgres(deps, open), qdrant(deps)];
  const stack = createStack({ folders, records: createProcessRecords(folders), migrate: () => Promise.resolve(), path: environment['PATH'] ?? '', say });
  return { programs, stack, folders };
}
