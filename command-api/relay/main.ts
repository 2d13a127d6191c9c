/** `npm run start:relay`: runs the relay as a separate process. One relay leads, the others are on standby. */
import '../../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { runService } from '../../shared/http/run-service.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { tenantEnvironment } from '../../shared/tenants/tenant-environment.js';
import { openWithTenants } from '../../shared/tenants/tenants-of-process.js';
import { openRelay } from './open-relay.js';
import { relayProcessConfig } from './process-config.js';

await runService(process, {
  name: 'relay',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: relayProcessConfig,
  environmentOf: tenantEnvironment,
  open: (context) => openWithTenants(context, { role: 'work', open: openRelay }),
});
