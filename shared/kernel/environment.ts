/** The environment a process reads its configuration from: its own variables, then `.env` files that fill what these leave open. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import type { Environment } from './config.js';

/** The process environment wins over `.env` in `folder`, and that over `.config/palimpsest/.env` below `home`. */
export function readEnvironment(options: {
  readonly process: Environment;
  readonly folder: string;
  readonly home: string;
}): Environment {
  const files = [join(options.folder, '.env'), join(options.home, '.config', 'palimpsest', '.env')];
  return mergeEnvironments([options.process, ...files.map(readFile)]);
}

/** The first that names a variable decides, even with a blank value: so a file's value can be switched off. */
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
    throw new Error(`${file} cannot be read: make it readable for this user, or remove it`, { cause: error });
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
