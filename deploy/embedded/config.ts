/** The configuration of the embedded composition: every room's own part, and what only one process over one folder needs. */
import { isAbsolute, join } from 'node:path';
import { commandConfig } from '../../command-api/config.js';
import { projectorConfig } from '../../projectors/config.js';
import { queryConfig } from '../../query-api/config.js';
import { embeddingVariables } from '../../shared/embedding/embedding-variables.js';
import { edgeConfig } from '../../shared/http/edge-variables.js';
import { ConfigurationError, readVariables, type Environment, type Variable } from '../../shared/kernel/config.js';
import { languageConfig } from '../../shared/language/language-variables.js';

export const embeddedVariables = [
  { name: 'PALIMPSEST_DATA_DIR', kind: 'text', default: './data', description: 'The folder that holds everything; made when it is not there. One process at a time.' },
  { name: 'SQLITE_READERS', kind: 'integer', minimum: 1, maximum: 16, default: '2', description: 'Threads that read the database beside the one that writes it.' },
] as const satisfies readonly Variable[];

export type EmbeddedConfig = ReturnType<typeof embeddedConfig>;

/** Reads every part and throws one ConfigurationError with all that is wrong. */
export function embeddedConfig(environment: Environment, workingFolder: string) {
  const problems: string[] = [];
  const part = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const own = part(() => readVariables(embeddedVariables, environment));
  const edge = part(() => edgeConfig(environment));
  const command = part(() => commandConfig(environment));
  const query = part(() => queryConfig(environment));
  const projectors = part(() => projectorConfig(environment));
  const embedding = part(() => readVariables(embeddingVariables, environment));
  const language = part(() => languageConfig(environment));
  if (!own || !edge || !command || !query || !projectors || !embedding || language === undefined) throw new ConfigurationError([...new Set(problems)]);
  const folder = own.PALIMPSEST_DATA_DIR;
  return {
    dataFolder: isAbsolute(folder) ? folder : join(workingFolder, folder),
    readers: own.SQLITE_READERS,
    edge, command, query, projectors, embedding, language,
  };
}
