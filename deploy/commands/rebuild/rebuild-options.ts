/** What both compositions pass to a rebuild of the graph from the command line. */
import type { ReplayResult } from '../../../shared/integrity/replay/replay-graph.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { RebuildProgress } from '../../../shared/ports/journal-identity.js';

export type RebuildOptions = {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly onProgress: (progress: RebuildProgress) => void;
  readonly signal: AbortSignal;
};

export type Rebuild = (options: RebuildOptions) => Promise<ReplayResult>;
