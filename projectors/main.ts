/**
 * `npm run start:projectors`: runs the projectors as a process of their own; any number of these processes share the
 * work.
 */
import '../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { shareEmbedders } from '../shared/engines/models/share-embedders.js';
import { runService } from '../shared/http/run-service.js';
import { isSettled } from '../shared/journal/is-settled.js';
import { readEnvironment } from '../shared/kernel/config/environment.js';
import { tenantEnvironment } from '../shared/tenants/tenant-environment.js';
import { openWithTenants } from '../shared/tenants/tenants-of-process.js';
import { openProjectors } from './open-projectors.js';
import { projectorProcessConfig } from './process-config.js';

const share = shareEmbedders();
await runService(process, {
  name: 'projectors',
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  configure: projectorProcessConfig,
  environmentOf: tenantEnvironment,
  open: (context) =>
    openWithTenants(context, {
      role: 'work',
      open: async (own, tenant) => {
        const { postgres, ...opened } = await openProjectors(own, { isTenant: tenant !== null, share });
        return { ...opened, isQuiet: () => isSettled(postgres) };
      },
    }),
});
