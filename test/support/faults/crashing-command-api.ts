/** A command API that kills itself at the commit step CRASH_AT, after CRASH_AFTER commits have passed that step. */
import { homedir } from 'node:os';
import { openCommandApi } from '../../../command-api/open-command-api.js';
import { commandProcessConfig } from '../../../command-api/process-config.js';
import { runService } from '../../../shared/http/run-service.js';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { tenantEnvironment } from '../../../shared/tenants/tenant-environment.js';

let left = Number(process.env['CRASH_AFTER'] ?? 0);

await runService(process, {
  name: 'crashing command API',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: commandProcessConfig,
  environmentOf: tenantEnvironment,
  open: (opening) =>
    openCommandApi(opening, {
      failpoints: {
        hit: (step) => {
          if (step !== process.env['CRASH_AT'] || left-- > 0) return;
          process.kill(process.pid, 'SIGKILL');
        },
      },
    }),
});
