/** Checks that the package of the weights has the files of its checksums, and that its notice names the same ones. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { REPOSITORY } from '../../../../support/checks/source-files.js';

const FOLDER = join(REPOSITORY, 'deploy/encoder');

describe('the weights', () => {
  const checksums = JSON.parse(textOf('checksums.json')) as Readonly<
    Record<string, { readonly sha256: string; readonly bytes: number }>
  >;

  for (const [file, expected] of Object.entries(checksums))
    it(`have the checksum of ${file}`, () => {
      const content = readFileSync(fileURLToPath(import.meta.resolve(`@palimpsest/encoder-e5-small-v2/${file}`)));
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect({ sha256, bytes: content.length }).to.deep.equal(expected);
    });

  it('have a notice with the checksums of the files and of their jar', () => {
    const jar = hashesIn(textOf('make.mjs'));
    expect(jar).to.have.length(1);
    expect(Object.keys(checksums)).to.include.members(['model.onnx', 'tokenizer.json']);
    for (const [file, { sha256 }] of Object.entries(checksums))
      expect(textOf('NOTICE')).to.include(`${sha256}  ${file}`);
    expect(hashesIn(textOf('NOTICE'))).to.have.members([
      ...jar,
      ...Object.values(checksums).map(({ sha256 }) => sha256),
    ]);
  });

  it('are published with their notice and licence', () => {
    const { files } = JSON.parse(textOf('package.json')) as { readonly files: readonly string[] };
    // npm adds LICENSE by itself.
    expect(files).to.include.members([...Object.keys(checksums), 'NOTICE']);
  });
});

function textOf(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

function hashesIn(text: string): readonly string[] {
  return text.match(/\b[0-9a-f]{64}\b/gu) ?? [];
}
