import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { deletionLine, endLine } from '../../../../deploy/commands/deletions/save-deletions.js';
import { readDeletions } from '../../../../deploy/commands/restore/read-deletions.js';
import { ValidationError } from '../../../../shared/kernel/errors.js';
import { rejection } from '../../../support/checks/rejection.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { createTempFolder, type TempFolder } from '../../../support/fixtures/temp-folder.js';

const JOURNAL = memoryId(900);
const OTHER = memoryId(901);
const AT = '2024-01-01T12:00:00.500000+00:00';
const ARCHIVE = { journalId: JOURNAL, p1: 100 };

const line = (number: number) => deletionLine({ id: memoryId(number), deletedAt: AT, position: 100 + number });
const end = (deletions: number, since = 0, through = 500, journal: string = JOURNAL) =>
  endLine({ deletions, since, through, journal });

describe('readDeletions', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  async function read(...lines: readonly string[]) {
    const file = join(folder.path, 'list.jsonl');
    await writeFile(file, lines.join(''));
    return readDeletions(file, ARCHIVE);
  }

  it('returns each memory with the time of its deletion', async () => {
    expect(await read(line(1), line(2), end(2))).to.deep.equal(
      new Map([
        [memoryId(1), AT],
        [memoryId(2), AT],
      ]),
    );
  });

  it('reads lists that follow one another from one file', async () => {
    const deletions = await read(line(1), end(1, 100, 200), line(2), end(1, 200, 300));
    expect([...deletions.keys()]).to.deep.equal([1, 2].map(memoryId));
  });

  it('reads a list of all deletions of another journal', async () => {
    expect((await read(line(1), end(1, 0, 20, OTHER))).size).to.equal(1);
  });

  const refused: readonly (readonly [string, readonly string[], string])[] = [
    ['a line that is not JSON', [line(1), 'x\n', end(1)], 'line 2: it is not JSON'],
    ['a line that is not an object', ['[]\n', end(1)], 'line 1: it is not a JSON object'],
    ['a wrong id', ['{"id":"x","deleted_at":"2024-01-01","position":1}\n', end(1)], "line 1: 'id' is not the id"],
    ['a wrong time', [`{"id":"${memoryId(1)}","deleted_at":"noon","position":1}\n`], "line 1: 'deleted_at' is not"],
    ['a wrong position', [`{"id":"${memoryId(1)}","deleted_at":"2024-01-01","position":-1}\n`], "line 1: 'position'"],
    ['a list without its end', [line(1), line(2)], 'line 3: the last line of the list is missing'],
    ['an empty file', [], 'line 1: the last line of the list is missing'],
    ['a list that lacks a line', [line(1), end(2)], 'line 2: the list has 1 deletions, and 2 were written'],
    ['a list that begins after the archive', [line(1), end(1, 150)], 'write it with --since 100'],
    [
      'a gap between two lists',
      [line(1), end(1, 100, 200), line(2), end(1, 201)],
      'the deletions after 200 are missing',
    ],
    ['positions of another journal', [line(1), end(1, 50, 60, OTHER)], `of journal ${OTHER}`],
  ];
  for (const [name, lines, message] of refused)
    it(`refuses ${name}, with the number of the line`, async () => {
      const error = await rejection(read(...lines));
      expect(error).to.be.instanceOf(ValidationError);
      expect(String(error)).to.contain(message);
    });
});
