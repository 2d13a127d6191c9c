/** Opens Neo4j for a process that starts: waits for the server, checks the version of the graph's schema and warms up the statements. */
import type { Resources } from '../../../kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../../../kernel/concurrency/startup-retry.js';
import { PalimpsestError } from '../../../kernel/errors.js';
import type { Neo4j } from '../neo4j.js';
import { requireNeo4jSchema } from '../schema/schema.js';
import { connectNeo4j } from './connect-neo4j.js';
import type { Neo4jConfig } from './neo4j-variables.js';

export async function openNeo4j({
  config,
  warmUp,
  resources,
  startupRetry,
}: {
  readonly config: Neo4jConfig;
  /** Runs the statements whose first use is slow. */
  readonly warmUp: (neo4j: Neo4j) => Promise<void>;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}): Promise<Neo4j> {
  const place = neo4jPlace(config);
  const connected = await retryStartup(
    place,
    () => connectNeo4j({ config, logger: startupRetry.logger }),
    startupRetry,
  );
  const neo4j = resources.add(connected, (opened) => opened.close());
  await retryStartup(place, () => requireNeo4jSchema(neo4j), startupRetry);
  await warmUp(neo4j).catch((error: unknown) => {
    if (!(error instanceof PalimpsestError)) throw error;
    startupRetry.logger.warn({ reason: error.message }, 'neo4j warm-up failed: first calls take longer');
  });
  return neo4j;
}

/** The name of this server in messages; its address holds no credentials. */
export function neo4jPlace({ url }: Neo4jConfig): string {
  return `Neo4j at ${url}`;
}
