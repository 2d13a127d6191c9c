/** An example of each operation in the OpenAPI document, in an order in which an empty service answers each of them. */
import type { OperationName, OPERATIONS } from '../operations.js';
import type { Example } from './example.js';
import { graphExamples } from './graph-examples.js';
import { maintenanceExamples } from './maintenance-examples.js';
import { deletionExamples, memoryExamples } from './memory-examples.js';
import { serviceExamples } from './service-examples.js';

type Documented = {
  [N in OperationName]: (typeof OPERATIONS)[N] extends { readonly tag: string } ? N : never;
}[OperationName];

export const EXAMPLES: Readonly<Record<Documented, Example>> = {
  ...memoryExamples,
  ...graphExamples,
  ...serviceExamples,
  ...maintenanceExamples,
  ...deletionExamples,
};
