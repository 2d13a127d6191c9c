/** Every variable that our processes read, grouped by the part that declares it. */
import { commandVariables } from '../../../command-api/config.js';
import { relayVariables } from '../../../command-api/relay/config.js';
import { projectorVariables } from '../../../projectors/config.js';
import { enricherVariables } from '../../../projectors/enricher/enricher-config.js';
import { commandApiVariables } from '../../../projectors/process-config.js';
import { viewerVariables } from '../../../query-api/graph-views/viewer-variables.js';
import { queryVariables } from '../../../query-api/query-variables.js';
import { scoringVariables } from '../../../query-api/scoring-variables.js';
import { consolidationVariables } from '../../../shared/consolidation/consolidation-config.js';
import { kafkaVariables } from '../../../shared/engines/kafka/kafka-variables.js';
import { embeddingVariables } from '../../../shared/engines/models/embedding-variables.js';
import { languageVariables } from '../../../shared/engines/models/language-variables.js';
import { neo4jVariables } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { commitVariables } from '../../../shared/engines/postgres/commit/commit-variables.js';
import { postgresVariables } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { qdrantVariables } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { edgeVariables } from '../../../shared/http/edge-variables.js';
import { startVariables } from '../../../shared/kernel/config/start-variables.js';
import { embeddedVariables } from '../../embedded/config.js';
import { gatewayVariables } from '../../gateway/gateway-config.js';
import { localVariables } from '../../local/config.js';
import { bridgeVariables } from '../../mcp/bridge-config.js';
import type { VariableGroup } from './variables-table.js';

export const ALL_VARIABLES: readonly VariableGroup[] = [
  { title: 'The process and its data', variables: embeddedVariables },
  { title: 'Processes of their own', variables: startVariables },
  { title: 'HTTP', variables: edgeVariables },
  { title: 'The gateway', variables: gatewayVariables },
  { title: 'The MCP bridge', variables: bridgeVariables },
  { title: 'Commands', variables: commandVariables },
  { title: 'Queries', variables: [...queryVariables, ...viewerVariables] },
  { title: 'The score of a recall', variables: scoringVariables },
  { title: 'Projectors', variables: [...projectorVariables, ...enricherVariables, ...commandApiVariables] },
  { title: 'Consolidation', variables: consolidationVariables },
  { title: 'Embedding', variables: embeddingVariables },
  { title: 'Language model', variables: languageVariables },
  { title: 'Postgres', variables: postgresVariables },
  { title: 'Neo4j', variables: neo4jVariables },
  { title: 'Kafka', variables: kafkaVariables },
  { title: 'Qdrant', variables: qdrantVariables },
  { title: 'The commit over two stores', variables: commitVariables },
  { title: 'The relay', variables: relayVariables },
  { title: 'Servers on this machine (`npm run local`)', variables: localVariables },
];
