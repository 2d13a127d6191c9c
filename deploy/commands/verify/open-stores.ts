/** What both compositions open for a comparison. */
import type { StoresToCompare } from '../../../shared/integrity/comparison/compare-stores.js';
import type { Resources } from '../../../shared/kernel/concurrency/resources.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import type { Logger } from '../../../shared/kernel/logger.js';

export type OpenStores = (options: {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly signal: AbortSignal;
}) => Promise<StoresToCompare>;
