/** `npm run start:query-api`: the query API as a separate process. Any number of instances may run. */
import '../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { runService } from '../shared/http/run-service.js';
import { readEnvironment } from '../shared/kernel/config/environment.js';
import { openQueryApi } from './open-query-api.js';
import { queryProcessConfig } from './process-config.js';

await runService(process, {
  name: 'query-api',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: queryProcessConfig,
  open: openQueryApi,
});
