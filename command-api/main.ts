/** `npm run start:command-api`: runs the command side as a separate process. Any number of them may run. */
import '../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { runService } from '../shared/http/run-service.js';
import { readEnvironment } from '../shared/kernel/config/environment.js';
import { tenantEnvironment } from '../shared/tenants/tenant-environment.js';
import { openCommandApi } from './open-command-api.js';
import { commandProcessConfig } from './process-config.js';

await runService(process, {
  name: 'command-api',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: commandProcessConfig,
  environmentOf: tenantEnvironment,
  open: openCommandApi,
});
