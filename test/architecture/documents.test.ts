/** What is generated from the code and committed is what the code of today generates. */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS } from '../../deploy/docs/documents.js';
import type { GeneratedFile } from '../../deploy/docs/generated-file.js';
import { REPOSITORY } from '../support/source-files.js';

for (const [name, files] of Object.entries(DOCUMENTS) as [string, readonly GeneratedFile[]][]) {
  describe(`the generated document ${name}`, () => {
    for (const { path, textFrom } of files) {
      it(`${path} is up to date`, () => {
        const present = readFileSync(join(REPOSITORY, path), 'utf8');
        expect(textFrom(present) === present, `otherwise run \`npm run docs:${name}\``).to.equal(true);
      });
    }
  });
}
