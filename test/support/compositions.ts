/** Every composition of the service that the journeys run against. A new one joins by an entry. */
import { startFleet } from './fleet.js';
import { openGround } from './ground.js';
import type { HttpCaller } from './http-caller.js';
import { isServerWanted, SERVERS, type ServerName } from './servers.js';
import { startEmbedded } from './service.js';
import { createTempFolder } from './temp-folder.js';

export type Running = HttpCaller & {
  /** Everything committed so far has been projected. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Where one service keeps its data, from one start to the next. */
export type Place = {
  /** One at a time: close what runs before the next start. */
  readonly start: () => Promise<Running>;
  /** After everything started here is closed. */
  readonly remove: () => Promise<void>;
};

export type Composition = { readonly name: string; readonly openPlace: () => Promise<Place> };

const embedded: Composition = {
  name: 'embedded',
  openPlace: async () => {
    const folder = await createTempFolder();
    return { start: () => startEmbedded({ dataFolder: folder.path, enriches: true }), remove: folder.remove };
  },
};

/** One process of each kind behind the gateway, on real servers. */
const distributed: Composition = {
  name: 'distributed',
  openPlace: async () => {
    const { ground, remove } = await openGround();
    return { start: () => startFleet(ground, { each: 1 }), remove };
  },
};

const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];

export const COMPOSITIONS: readonly Composition[] = [
  embedded,
  ...(SERVER_NAMES.every((name) => isServerWanted(name)) ? [distributed] : []),
];
