/** The environment from which a process reads its configuration: its own variables, completed by `.env` files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { ConfigurationError, type Environment } from './config.js';

/**
 * The process environment wins over `.env` in `folder`, which wins over `.config/palimpsest/.env` below `home`.
 * Variables of OpenTelemetry in the files are also set in `process`, where its SDK reads them.
 * Throws ConfigurationError for a file that cannot be read.
 */
export function readEnvironment(options: {
  readonly process: Record<string, string | undefined>;
  readonly folder: string;
  readonly home: string;
}): Environment {
  const files = [join(options.folder, '.env'), join(options.home, '.config', 'palimpsest', '.env')];
  const environment = mergeEnvironments([options.process, ...files.map(readFile)]);
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('OTEL_')) options.process[name] ??= value;
  return environment;
}

/**
 * The first environment that contains a variable decides, even with a blank value. A blank value thus switches off the
 * value of a file.
 */
export function mergeEnvironments(environments: readonly Environment[]): Environment {
  const merged: Record<string, string> = {};
  for (const environment of environments) {
    for (const [name, value] of Object.entries(environment)) {
      if (value !== undefined && !Object.hasOwn(merged, name)) merged[name] = value;
    }
  }
  return merged;
}

function readFile(file: string): Environment {
  try {
    return parse(readFileSync(file));
  } catch (error) {
    if (isAbsence(error)) return {};
    throw new ConfigurationError([`${file} cannot be read: make it readable for this user, or remove it`]);
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
