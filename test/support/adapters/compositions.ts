/** The compositions of the service that the journeys run over. A new composition adds one entry. */
import type { HttpCaller } from '../clients/http-caller.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { startFleet } from '../processes/fleet.js';
import { startEmbedded } from '../processes/service.js';
import { openTestDeployment } from '../processes/test-deployment.js';
import { isServerWanted, type ServerName, SERVERS } from '../servers/servers.js';

export type Running = HttpCaller & {
  /** Resolves when all commits so far are projected. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The data of one service. It remains when the service restarts. */
export type DataLocation = {
  /** Starts the service. Close it before the next start. */
  readonly start: () => Promise<Running>;
  /** Deletes the data. Close the service first. */
  readonly remove: () => Promise<void>;
};

export type Composition = { readonly name: string; readonly openDataLocation: () => Promise<DataLocation> };

/** A recall waits for the writes before it, also on a busy machine. */
const VARIABLES = { RECALL_FRESH_WAIT_MS: '20000' };

const embedded: Composition = {
  name: 'embedded',
  openDataLocation: async () => {
    const folder = await createTempFolder();
    const options = { dataFolder: folder.path, enriches: true, variables: VARIABLES };
    return { start: () => startEmbedded(options), remove: folder.remove };
  },
};

/** One process of each kind behind the gateway, on real servers. */
const distributed: Composition = {
  name: 'distributed',
  openDataLocation: async () => {
    const { deployment, remove } = await openTestDeployment();
    return { start: () => startFleet(deployment, { each: 1, variables: VARIABLES }), remove };
  },
};

const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];

export const COMPOSITIONS: readonly Composition[] = [
  embedded,
  ...(SERVER_NAMES.every((name) => isServerWanted(name)) ? [distributed] : []),
];
