/** The graph engines that the contract suites run over. A new engine adds one entry. */
import { createNeo4jGraphInspector } from '../../../shared/engines/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../../../shared/engines/neo4j/neo4j-graph-scan.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { createSqliteGraphInspector } from '../../../shared/engines/sqlite/graph/sqlite-graph-inspector.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../../shared/engines/sqlite/graph/sqlite-graph-scan.js';
import { createSqliteGraphWriter } from '../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { GraphReader, GraphWriter } from '../../../shared/ports/graph.js';
import type { GraphInspector } from '../../../shared/ports/graph-inspector.js';
import type { GraphScan } from '../../../shared/ports/graph-scan.js';
import { openEmptyNeo4j } from '../servers/neo4j.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

/** A graph that starts empty. */
export type OpenGraph = {
  readonly reader: GraphReader;
  readonly writer: GraphWriter;
  readonly scan: GraphScan;
  readonly inspector: GraphInspector;
  close(): Promise<void>;
};
export type GraphAdapter = { readonly name: string; open(): Promise<OpenGraph> };

export const GRAPH_ADAPTERS: readonly GraphAdapter[] = [
  { name: 'sqlite', open: openSqliteGraph },
  ...(isServerWanted('neo4j') ? [{ name: 'neo4j', open: () => openNeo4jGraph() }] : []),
];

/** The graph of tests of the outbox: that of its composition, or the embedded one where only Postgres runs. */
export const OUTBOX_GRAPHS: readonly GraphAdapter[] = isServerWanted('postgres') ? GRAPH_ADAPTERS.slice(-1) : [];

async function openSqliteGraph(): Promise<OpenGraph> {
  const { host, remove } = await openTemporaryHost([graphMigrations]);
  return {
    reader: createSqliteGraphReader({ host }),
    writer: createSqliteGraphWriter({ host }),
    scan: createSqliteGraphScan({ host }),
    inspector: createSqliteGraphInspector({ host }),
    close: remove,
  };
}

export async function openNeo4jGraph(logger?: Logger): Promise<OpenGraph> {
  const neo4j = await openEmptyNeo4j(logger);
  return {
    reader: createNeo4jGraphReader({ neo4j }),
    writer: createNeo4jGraphWriter({ neo4j }),
    scan: createNeo4jGraphScan({ neo4j }),
    inspector: createNeo4jGraphInspector({ neo4j }),
    close: () => neo4j.close(),
  };
}
