/** `npm run start:query-api`: the query API as a separate process. Any number of instances may run. */
import '../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { shareEmbedders } from '../shared/engines/models/share-embedders.js';
import { runService } from '../shared/http/run-service.js';
import { readEnvironment } from '../shared/kernel/config/environment.js';
import { tenantEnvironment } from '../shared/tenants/tenant-environment.js';
import { openWithTenants } from '../shared/tenants/tenants-of-process.js';
import { openQueryApi } from './open-query-api.js';
import { queryProcessConfig } from './process-config.js';

const share = shareEmbedders();
await runService(process, {
  name: 'query-api',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: queryProcessConfig,
  environmentOf: tenantEnvironment,
  open: (context) =>
    openWithTenants(context, {
      role: 'requests',
      open: (own, tenant) => openQueryApi(own, { isTenant: tenant !== null, share }),
    }),
});
