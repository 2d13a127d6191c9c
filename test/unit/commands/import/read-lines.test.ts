import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Line, LINE_LIMIT_BYTES, readLines } from '../../../../deploy/commands/import/read-lines.js';

describe('readLines', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lines-'));
    file = join(folder, 'lines');
  });

  after(() => rm(folder, { recursive: true }));

  async function linesOf(text: string): Promise<readonly Line[]> {
    await writeFile(file, text);
    const lines: Line[] = [];
    for await (const line of readLines(file)) lines.push(line);
    return lines;
  }

  it('returns every line with its number, at any chunk boundary of the file', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ' ') });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.constantFrom(1, 5_000), async (texts, times) => {
        const repeated = texts.map((text) => text.repeat(times));
        const lines = await linesOf(`${repeated.join('\n')}\n`);
        expect(lines.map(({ text }) => text.replace(/\n$/u, ''))).to.deep.equal(repeated);
        expect(lines.map(({ number }) => number)).to.deep.equal(repeated.map((_, index) => index + 1));
        expect(lines.at(-1)?.endBytes).to.equal(Buffer.byteLength(`${repeated.join('\n')}\n`));
      }),
      { numRuns: 20 },
    );
  });

  it('returns no line for an empty file, and one line for a text without a newline', async () => {
    expect(await linesOf('')).to.deep.equal([]);
    expect((await linesOf('a')).map(({ text }) => text)).to.deep.equal(['a']);
  });

  it('cuts off a line that is longer than a request, and continues behind it', async () => {
    const lines = await linesOf(`a\n${'x'.repeat(LINE_LIMIT_BYTES + 1)}\nb`);

    expect(lines.map(({ number, isTooLong }) => [number, isTooLong])).to.deep.equal([
      [1, false],
      [2, true],
      [3, false],
    ]);
    expect(lines[2]?.text).to.equal('b');
  });
});
