/** Checks that folders stay small enough to read at a glance. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { REPOSITORY } from '../support/checks/source-files.js';

const LAYERS = ['command-api', 'query-api', 'projectors', 'shared', 'deploy', 'test'];
const LARGEST_FOLDER = 25;
/** Numbered records, which stay one list with one index. */
const LISTS: readonly string[] = ['deploy/decisions'];

describe('each folder', () => {
  it(`has at most ${LARGEST_FOLDER} files of its own`, () => {
    const counts = new Map<string, number>();
    for (const layer of LAYERS)
      for (const entry of readdirSync(join(REPOSITORY, layer), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
    const large = [...counts]
      .map(([folder, count]) => [relative(REPOSITORY, folder), count] as const)
      .filter(([folder, count]) => count > LARGEST_FOLDER && !LISTS.includes(folder));
    expect(large.map(([folder, count]) => `${folder} has ${count} files: group them in folders`)).to.deep.equal([]);
  });
});
