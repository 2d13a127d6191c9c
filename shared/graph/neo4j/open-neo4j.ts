/** Neo4j for a process that starts: waited for, with the constraints and indexes that the process was written for, and warm. */
import { PalimpsestError } from '../../kernel/errors.js';
import { keepTrying, type Patience } from '../../kernel/keep-trying.js';
import type { Resources } from '../../kernel/resources.js';
import { connectNeo4j } from './connect-neo4j.js';
import type { Neo4jConfig } from './neo4j-variables.js';
import type { Neo4j } from './neo4j.js';
import { demandNeo4jSchema } from './schema.js';

export async function openNeo4j({
  config,
  warmUp,
  resources,
  patience,
}: {
  readonly config: Neo4jConfig;
  /** Runs what callers would otherwise be the first to wait for. */
  readonly warmUp: (neo4j: Neo4j) => Promise<void>;
  readonly resources: Resources;
  readonly patience: Patience;
}): Promise<Neo4j> {
  const place = neo4jPlace(config);
  const connected = await keepTrying(place, () => connectNeo4j({ config, logger: patience.logger }), patience);
  const neo4j = resources.add(connected, (opened) => opened.close());
  await keepTrying(place, () => demandNeo4jSchema(neo4j), patience);
  await warmUp(neo4j).catch((error: unknown) => {
    if (!(error instanceof PalimpsestError)) throw error;
    patience.logger.warn({ reason: error.message }, 'Neo4j could not be warmed up: the first calls take longer');
  });
  return neo4j;
}

/** Where it is; its address holds no credentials. */
export function neo4jPlace({ url }: Neo4jConfig): string {
  return `Neo4j at ${url}`;
}
