/** The operations of maintenance, as one part of the table of all operations. */
import type { Operation } from '../operation.js';
import { backupOperations } from './backup.js';
import { importOperations } from './import.js';
import { jobOperations } from './jobs.js';
import { rebuildVectorsOperations } from './rebuild-vectors.js';
import { reembedOperations } from './reembed.js';
import { syncOperations } from './sync.js';

export const maintenanceOperations = {
  ...importOperations,
  ...syncOperations,
  ...jobOperations,
  ...reembedOperations,
  ...rebuildVectorsOperations,
  ...backupOperations,
} as const satisfies Record<string, Operation>;
