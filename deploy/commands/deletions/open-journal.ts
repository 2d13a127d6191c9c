/** What both compositions open for a list of deletions. */
import type { Resources } from '../../../shared/kernel/concurrency/resources.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { DeletionSource } from './save-deletions.js';

export type OpenJournal = (options: {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly signal: AbortSignal;
}) => Promise<DeletionSource>;
