/** The dependencies of every server of the launcher. */
import type { Environment } from '../../../shared/kernel/config/config.js';
import type { LocalConfig } from '../config.js';
import type { Folders } from '../folders.js';
import type { JarInstaller } from '../setup/install-jars.js';

export type ServerDeps = {
  readonly config: LocalConfig;
  readonly folders: Folders;
  /** The source folder of poms and configuration templates, which are not compiled. */
  readonly sources: string;
  readonly jars: JarInstaller;
  readonly environment: Environment;
  readonly report: (line: string) => void;
  /** Aborted when the launcher is asked to end. */
  readonly shutdownSignal: AbortSignal;
};
