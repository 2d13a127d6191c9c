/**
 * The comparison of `palimpsest verify` over a settled deployment, without a process of its own: what differs between
 * journal, graph and vector index, and what the service knows of that.
 */
import { openDistributed, openEmbedded, type OpenStores } from '../../../deploy/commands/verify/open-stores.js';
import { compareStores, type StoresToCompare } from '../../../shared/integrity/comparison/compare-stores.js';
import type { Difference } from '../../../shared/integrity/comparison/differences.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { GraphScan } from '../../../shared/ports/graph-scan.js';
import type { TestDeployment } from '../processes/fleet.js';
import type { Service } from '../processes/service.js';

/** As `palimpsest verify` waits for a difference. The embedded service may still index its last memories. */
const SETTLE_MS = 30_000;
const { signal } = new AbortController();

type Options = {
  readonly settleMs?: number;
  /** Of an embedder that the test gave to the service. */
  readonly model?: string;
};

export function differencesOfFolder(dataFolder: string, options: Options = {}): Promise<readonly Difference[]> {
  const environment = { PALIMPSEST_DATA_DIR: dataFolder, EMBEDDING_PROVIDER: 'bundled' };
  return differencesOpenedBy(openEmbedded, environment, options);
}

export function differencesOfFleet(
  { variables }: Pick<TestDeployment, 'variables'>,
  options: Options = {},
): Promise<readonly Difference[]> {
  return differencesOpenedBy(openDistributed, variables, options);
}

export function differencesOfService({ engines }: Pick<Service, 'engines'>): Promise<readonly Difference[]> {
  const { journal, graph, vectors, deadLetters, embedder } = engines;
  const scan = engines.graphScan as GraphScan; // the service names what it uses; both compositions open the whole port
  return differencesOf(
    { journal, graph, scan, points: vectors, deadLetters, model: embedder.model, excludedTypes: [] },
    {},
  );
}

async function differencesOpenedBy(
  open: OpenStores,
  environment: Readonly<Record<string, string>>,
  options: Options,
): Promise<readonly Difference[]> {
  const resources = createResources();
  try {
    return await differencesOf(await open({ environment, logger: silentLogger, resources, signal }), options);
  } finally {
    await resources.close();
  }
}

/** Compares the points of every type: the tests lose none that sync would leave out. */
async function differencesOf(
  stores: StoresToCompare,
  { settleMs = SETTLE_MS, model = stores.model }: Options,
): Promise<readonly Difference[]> {
  const { differences, known } = await compareStores({ ...stores, model, excludedTypes: [] }, { settleMs, signal });
  return [...differences, ...known];
}
