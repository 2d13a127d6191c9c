/** The operations that show the graph, as one part of the table of all operations. */
import type { Operation } from '../operation.js';
import { consoleOperations } from './console.js';
import { drawnKindsOperations } from './drawn-kinds.js';
import { neighboursOperations } from './neighbours.js';
import { relatedOperations } from './related.js';
import { snapshotOperations } from './snapshot.js';
import { startupOperations } from './startup-recall.js';
import { statisticsOperations } from './statistics.js';
import { viewerOperations } from './viewer.js';

export const inspectionOperations = {
  ...relatedOperations,
  ...startupOperations,
  ...drawnKindsOperations,
  ...snapshotOperations,
  ...neighboursOperations,
  ...statisticsOperations,
  ...viewerOperations,
  ...consoleOperations,
} as const satisfies Record<string, Operation>;
