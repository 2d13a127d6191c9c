/**
 * `npm run start:projectors`: runs the projectors as a process of their own; any number of these processes share the
 * work.
 */
import '../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { runService } from '../shared/http/run-service.js';
import { readEnvironment } from '../shared/kernel/config/environment.js';
import { openProjectors } from './open-projectors.js';
import { projectorProcessConfig } from './process-config.js';

await runService(process, {
  name: 'projectors',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: projectorProcessConfig,
  open: openProjectors,
});
