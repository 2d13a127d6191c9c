/** Finds the data file of the embedded service, for commands that need one. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { DATA_FILE } from '../../shared/engines/sqlite/open.js';
import { ConfigurationError, type Environment, readVariables } from '../../shared/kernel/config/config.js';
import { embeddedVariables } from './config.js';

/** Throws ConfigurationError when the folder has no data file. */
export function existingDataFile(environment: Environment): { readonly folder: string; readonly file: string } {
  const { PALIMPSEST_DATA_DIR: path } = readVariables(embeddedVariables, environment);
  const folder = isAbsolute(path) ? path : join(process.cwd(), path);
  const file = join(folder, DATA_FILE);
  if (!existsSync(file))
    throw new ConfigurationError([
      `${folder} has no ${DATA_FILE}: set PALIMPSEST_DATA_DIR to the folder of the service`,
    ]);
  return { folder, file };
}
