/** Folders that a test may fill and that go with it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TempFolder = { readonly path: string; readonly remove: () => Promise<void> };

export async function createTempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'palimpsest-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
