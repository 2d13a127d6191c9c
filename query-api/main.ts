/** `npm run start:query-api`: the query side as a process of its own, of which there may be any number. */
import { homedir } from 'node:os';
import { runService } from '../shared/http/run-service.js';
import { readEnvironment } from '../shared/kernel/environment.js';
import { openQueryApi } from './open-query-api.js';
import { queryProcessConfig } from './process-config.js';

await runService(process, {
  name: 'query-api',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: queryProcessConfig,
  open: openQueryApi,
});
