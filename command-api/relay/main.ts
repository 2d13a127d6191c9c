/** `npm run start:relay`: the relay as a process of its own. One leads, the others stand by. */
import { homedir } from 'node:os';
import { runService } from '../../shared/http/run-service.js';
import { readEnvironment } from '../../shared/kernel/environment.js';
import { openRelay } from './open-relay.js';
import { relayProcessConfig } from './process-config.js';

await runService(process, {
  name: 'relay',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: relayProcessConfig,
  open: openRelay,
});
