/**
 * The configuration of the embedded composition: the part of every layer, and the variables of one process over one
 * folder.
 */
import { isAbsolute, join } from 'node:path';
import { commandConfig } from '../../command-api/config.js';
import { projectorConfig } from '../../projectors/config.js';
import { queryConfig } from '../../query-api/config.js';
import { embeddingVariables } from '../../shared/engines/models/embedding-variables.js';
import { languageConfig } from '../../shared/engines/models/language-variables.js';
import { DEFAULT_PORTS, edgeConfig } from '../../shared/http/edge-variables.js';
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { tenantsOpenLimit } from '../../shared/kernel/config/start-variables.js';
import { mcpEdgeConfig, toolsetConfig } from '../mcp/bridge-config.js';

export const embeddedVariables = [
  {
    name: 'PALIMPSEST_DATA_DIR',
    kind: 'text',
    default: './data',
    description: 'The folder for all data; created when it is missing. One process at a time.',
  },
  {
    name: 'SQLITE_READERS',
    kind: 'integer',
    minimum: 1,
    maximum: 16,
    default: '2',
    description: 'Threads that read the database, in addition to the one that writes it.',
  },
  {
    name: 'MCP_ENABLED',
    kind: 'flag',
    default: 'false',
    description:
      "Serves MCP at `/mcp` on the service's own port. Where the service has no token, MCP clients need none.",
  },
] as const satisfies readonly Variable[];

/** Tenants that are open at the same time: each takes about 9 MB. */
const OPEN_LIMIT = 64;

export type EmbeddedConfig = ReturnType<typeof embeddedConfig>;

/** Reads every part and throws one ConfigurationError with all problems. */
export function embeddedConfig(environment: Environment, workingFolder: string) {
  const { own, mcpEdge, ...parts } = readParts({
    own: () => readVariables([...embeddedVariables, tenantsOpenLimit], environment),
    edge: () => edgeConfig(environment, DEFAULT_PORTS.service),
    command: () => commandConfig(environment),
    query: () => queryConfig(environment),
    projectors: () => projectorConfig(environment),
    embedding: () => readVariables(embeddingVariables, environment),
    language: () => languageConfig(environment),
    mcpEdge: () => mcpEdgeConfig(environment),
  });
  const folder = own.PALIMPSEST_DATA_DIR;
  const isOpen = parts.edge.tokens.api.length === 0 && parts.edge.oidc === null;
  return {
    ...parts,
    dataFolder: isAbsolute(folder) ? folder : join(workingFolder, folder),
    readers: own.SQLITE_READERS,
    tenantsOpenLimit: own.TENANTS_OPEN_LIMIT ?? OPEN_LIMIT,
    mcp: own.MCP_ENABLED
      ? { ...mcpEdge, allowAnonymous: isOpen || mcpEdge.allowAnonymous, ...toolsetConfig(environment) }
      : null,
  };
}
