/** Checks of the data folder of the embedded service. They change nothing in it. */
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { DATA_FILE } from '../../../shared/engines/sqlite/open.js';
import {
  dataFolderProblem,
  isDataFolderInUse,
  requireAccess,
} from '../../../shared/engines/sqlite/threads/lock-data-folder.js';
import { type Environment, readVariables } from '../../../shared/kernel/config/config.js';
import { embeddedVariables } from '../../embedded/config.js';
import { type Found, ok, problem, problemsFrom, warning } from './found.js';

/** Below it the disk is nearly full: 10,000 memories take about 100 MB, and a backup as much again. */
const LEAST_FREE_BYTES = 1_000_000_000;

/** Throws ConfigurationError. */
export function dataFolderOf(environment: Environment, workingFolder: string): string {
  const folder = readVariables(embeddedVariables, environment).PALIMPSEST_DATA_DIR;
  return isAbsolute(folder) ? folder : join(workingFolder, folder);
}

export async function checkDataFolder(
  environment: Environment,
  workingFolder: string,
): Promise<Found | readonly Found[]> {
  const folder = dataFolderOf(environment, workingFolder);
  const existing = existingPart(folder);
  try {
    requireAccess(existing);
    if (existing !== folder) return ok(`${folder} does not exist yet, and can be made`);
    if (await isReadByOthers(folder))
      return warning(`${folder} can be read by every user of this machine`, `run \`chmod -R go= '${folder}'\``);
    return ok(isDataFolderInUse(folder) ? `a service runs on ${folder}` : `${folder} can be read and written`);
  } catch (error) {
    return problemsFrom(
      isSystemError(error) ? dataFolderProblem(folder, error) : error,
      'set PALIMPSEST_DATA_DIR to another folder',
    );
  }
}

const OTHERS_ENTER = 0o001;
const OTHERS_READ = 0o004;

/** Data that an earlier release made, or in a folder that the service did not make. Windows has no modes. */
async function isReadByOthers(folder: string): Promise<boolean> {
  if (process.platform === 'win32' || ((await stat(folder)).mode & OTHERS_ENTER) === 0) return false;
  const file = join(folder, DATA_FILE);
  return existsSync(file) && ((await stat(file)).mode & OTHERS_READ) !== 0;
}

export async function checkDisk(environment: Environment, workingFolder: string): Promise<Found> {
  const folder = dataFolderOf(environment, workingFolder);
  const { bsize, bavail } = await statfs(existingPart(folder));
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB are free for ${folder}`;
  const remedy = 'free space on the disk, or set PALIMPSEST_DATA_DIR to a folder on another one';
  if (free === 0) return problem(text, remedy);
  return free < LEAST_FREE_BYTES ? warning(text, remedy) : ok(text);
}

/** The path itself, or the nearest path above it that exists. */
function existingPart(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path));
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
