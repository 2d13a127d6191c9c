/** A command API that kills itself at one step of the commit protocol: DOOMED_AT names it, DOOMED_AFTER how many commits pass it first. */
import { homedir } from 'node:os';
import { openCommandApi } from '../../command-api/open-command-api.js';
import { commandProcessConfig } from '../../command-api/process-config.js';
import { runService } from '../../shared/http/run-service.js';
import { readEnvironment } from '../../shared/kernel/environment.js';

let left = Number(process.env['DOOMED_AFTER'] ?? 0);

await runService(process, {
  name: 'doomed command API',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: commandProcessConfig,
  open: (opening) =>
    openCommandApi(opening, {
      failpoints: {
        hit: (step) => {
          if (step !== process.env['DOOMED_AT'] || left-- > 0) return;
          process.kill(process.pid, 'SIGKILL');
        },
      },
    }),
});
