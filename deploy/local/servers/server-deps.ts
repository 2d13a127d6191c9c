/** What a server of the launcher is made from. */
import type { Environment } from '../../../shared/kernel/config.js';
import type { LocalConfig } from '../config.js';
import type { Folders } from '../folders.js';
import type { JarInstaller } from '../install-jars.js';

export type ServerDeps = {
  readonly config: LocalConfig;
  readonly folders: Folders;
  /** The folder of poms and configuration templates: they are no code, so they stay where the sources are. */
  readonly sources: string;
  readonly jars: JarInstaller;
  readonly environment: Environment;
  readonly say: (line: string) => void;
  /** Aborted when the launcher is to end. */
  readonly told: AbortSignal;
};
