/** What both compositions pass to a rebuild of the graph from the command line. */
import type { RebuildProgress } from '../../shared/journal/journal-identity.js';
import type { ReplayResult } from '../../shared/journal/replay/replay-graph.js';
import type { Environment } from '../../shared/kernel/config/config.js';
import type { Logger } from '../../shared/kernel/logger.js';

export type RebuildOptions = {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly onProgress: (progress: RebuildProgress) => void;
  readonly signal: AbortSignal;
};

export type Rebuild = (options: RebuildOptions) => Promise<ReplayResult>;
