/** Checks that each committed generated document equals the output of the current code. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { DOCUMENTS } from '../../deploy/docs/generate/documents.js';
import type { GeneratedFile } from '../../deploy/docs/generate/event-documents.js';
import { ALL_VARIABLES } from '../../deploy/docs/generate/variables-table.js';
import * as constants from '../../shared/contract/limits.js';
import type { Variable } from '../../shared/kernel/config/config.js';
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
    const example = readFileSync(join(REPOSITORY, 'deploy/docs/events/consumer-example.mjs'), 'utf8');
    expect(page).to.include(`\`\`\`js\n${example}\`\`\``);
  });
});

describe('the page about security', () => {
  it('shows each limit with the default of the code', () => {
    const page = readFileSync(join(REPOSITORY, 'deploy/docs/security.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`[A-Z\d_]+`(?:, `[A-Z\d_]+`)*) \| `(\d+)` \|/gmu)];
    const shown = rows.flatMap(([, names = '', value]) => names.split(', ').map((name) => [name.slice(1, -1), value]));
    const declared = ALL_VARIABLES.flatMap((group): readonly Variable[] => group.variables);
    const actual = shown.map(([name]) => [
      name,
      declared.find((variable) => variable.name === name)?.default ??
        String(Object.entries(constants).find(([constant]) => constant === name)?.[1]),
    ]);
    expect(shown).to.have.length(17);
    expect(shown).to.deep.equal(actual);
  });
});
