/** Checks that each committed generated document equals the output of the current code. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { DOCUMENTS } from '../../deploy/docs/generate/documents.js';
import type { GeneratedFile } from '../../deploy/docs/generate/event-documents.js';
import { REPOSITORY } from '../support/checks/source-files.js';

for (const [name, files] of Object.entries(DOCUMENTS) as [string, readonly GeneratedFile[]][]) {
  describe(`generated document ${name}`, () => {
    for (const { path, textFrom } of files) {
      it(`has an up-to-date ${basename(path)}`, () => {
        const committed = readFileSync(join(REPOSITORY, path), 'utf8');
        expect(textFrom(committed) === committed, `run \`npm run docs:${name}\``).to.equal(true);
      });
    }
  });
}

describe('the page about events', () => {
  it('shows the consumer example unchanged', () => {
    const page = readFileSync(join(REPOSITORY, 'deploy/docs/events.md'), 'utf8');
    const example = readFileSync(join(REPOSITORY, 'deploy/docs/consumer-example.mjs'), 'utf8');
    expect(page).to.include(`\`\`\`js\n${example}\`\`\``);
  });
});
