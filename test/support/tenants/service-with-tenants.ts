/**
 * A service with tenants, for the proofs that tenants are separate. The proofs know it by its address and its tokens
 * alone, so they run over every composition: a new one adds an entry to `SERVICES_WITH_TENANTS`.
 */
import { embeddedConfig } from '../../../deploy/embedded/config.js';
import { createEmbedded } from '../../../deploy/embedded/embedded.js';
import { listen } from '../../../shared/http/listen.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { serveInThread } from '../adapters/sqlite-in-thread.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { startFleet } from '../processes/fleet.js';
import { openTestDeployment } from '../processes/test-deployment.js';
import { isServerWanted, type ServerName, SERVERS } from '../servers/servers.js';
import { AUDIENCE, openTokenIssuer, type TokenIssuer } from '../servers/token-issuer.js';

export const API_TOKEN = 'token-of-the-api';
export const ADMIN_TOKEN = 'token-of-the-administrator';

/** Of the tokens of the issuer. */
export const TENANT_CLAIM = 'tenant';

export type ServiceWithTenants = {
  /** Whether the enrichments of memories that were stored together are in the journal in the same order each time. */
  readonly isOrdered: boolean;
  /** Of the only address that callers know. */
  readonly url: string;
  /** Its tokens open the tenant that TENANT_CLAIM names. */
  readonly issuer: TokenIssuer;
  readonly close: () => Promise<void>;
};

export type OpenServiceWithTenants = {
  readonly name: string;
  /** Whether its servers have the data of one service at a time. */
  readonly isExclusive: boolean;
  readonly open: () => Promise<ServiceWithTenants>;
};

/** Without the drift repairer and the cache cleaner, which change a reply at times of their own. */
const PROJECTORS = 'vector-indexer,enricher,access-recorder,consolidator,webhook-sender';

function variablesOf(issuer: TokenIssuer): Readonly<Record<string, string>> {
  return {
    SERVICE_API_TOKEN: API_TOKEN,
    ADMIN_API_TOKEN: ADMIN_TOKEN,
    INTERNAL_API_TOKEN: 'between-ourselves',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_TENANT_CLAIM: TENANT_CLAIM,
    PROJECTORS,
    PROJECTOR_STATE_SAVE_MS: '200',
    // A busy machine must not change the replies.
    RECALL_SOURCE_TIMEOUT_MS: '60000',
    RECALL_FRESH_WAIT_MS: '20000',
    JOB_WAIT_MS: '50000',
  };
}

const embedded: OpenServiceWithTenants = {
  name: 'embedded',
  isExclusive: false,
  open: async () => {
    const [folder, issuer] = [await createTempFolder(), await openTokenIssuer()];
    const variables = { ...variablesOf(issuer), PALIMPSEST_DATA_DIR: folder.path, MCP_ENABLED: 'true' };
    const service = await createEmbedded({
      config: embeddedConfig(variables, folder.path),
      version: '0.0.0-test',
      logger: silentLogger,
      clock: systemClock,
      ids: randomIds,
      startWorker: serveInThread,
    });
    const server = await listen(service.app, { port: 0, host: '127.0.0.1' });
    return {
      isOrdered: true,
      url: `http://127.0.0.1:${server.port}`,
      issuer,
      close: async () => {
        await server.close(STOP_DEADLINE_MS);
        await service.close();
        await issuer.stub.close();
        await folder.remove();
      },
    };
  },
};

const STOP_DEADLINE_MS = 2_000;

/** One process of each kind behind the gateway, on real servers. */
const distributed: OpenServiceWithTenants = {
  name: 'distributed',
  isExclusive: true,
  open: async () => {
    const issuer = await openTokenIssuer();
    const { deployment, remove } = await openTestDeployment();
    // One partition: the order in which the projectors have the events is that of the journal in each run.
    const variables = { ...variablesOf(issuer), KAFKA_PARTITIONS: '1' };
    const fleet = await startFleet(deployment, { each: 1, variables });
    return {
      isOrdered: false,
      url: fleet.url,
      issuer,
      close: async () => {
        await fleet.close();
        await remove();
        await issuer.stub.close();
      },
    };
  },
};

const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];

/** The run over the real engines has the distributed composition, each other run the embedded one. */
export const SERVICES_WITH_TENANTS: readonly OpenServiceWithTenants[] =
  process.env['PALIMPSEST_TEST_ENGINES'] === 'real' && SERVER_NAMES.every((name) => isServerWanted(name))
    ? [distributed]
    : [embedded];
