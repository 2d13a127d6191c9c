import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ALL_VARIABLES } from '../../deploy/docs/all-variables.js';
import { variablesTable, withVariables } from '../../deploy/docs/variables-table.js';
import type { Variable } from '../../shared/kernel/config.js';
import { readSourceFiles, REPOSITORY } from '../support/source-files.js';

describe('the table of variables', () => {
  it('in the README is the one that the declarations make', () => {
    const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
    expect(
      withVariables(readme, ALL_VARIABLES) === readme,
      'up to date; otherwise run `npm run docs:variables`',
    ).to.equal(true);
  });

  it('has every group of variables that the sources declare', () => {
    const declaring = readSourceFiles()
      .filter(({ path, text }) => !path.startsWith('test/') && /satisfies readonly Variable\[\]/u.test(text))
      .map(({ path }) => path);
    const [table] = readSourceFiles().filter(({ path }) => path === 'deploy/docs/all-variables.ts');
    expect(
      declaring.filter((path) => !table?.files.includes(path)),
      'name these in deploy/docs/all-variables.ts',
    ).to.deep.equal([]);
  });

  it('shows a variable once, and its readers read it alike', () => {
    const variables: readonly Variable[] = ALL_VARIABLES.flatMap((group) => group.variables);
    const meaning = ({ kind, aliases, default: value, unit }: Variable): string =>
      JSON.stringify([kind, aliases, value, unit]);
    const others = variables.filter((variable) =>
      variables.some((other) => other.name === variable.name && meaning(other) !== meaning(variable)),
    );
    expect(others.map(({ name }) => name)).to.deep.equal([]);
    for (const { name } of variables)
      expect(variablesTable(ALL_VARIABLES).split(`\n| \`${name}\``)).to.have.lengthOf(2);
  });

  it('says defaults with their unit, other names and limits', () => {
    const table = variablesTable([
      {
        title: 'Group',
        variables: [
          {
            name: 'WAIT_MS',
            aliases: ['PAUSE_MS'],
            kind: 'integer',
            minimum: 1,
            default: '50',
            unit: 'ms',
            description: 'How long.',
          },
          { name: 'MODE', kind: 'choice', choices: ['a', 'b'], description: 'One | other.' },
        ],
      },
    ]);
    expect(table).to.include('| `WAIT_MS` (`PAUSE_MS`) | `50` ms | How long. At least 1. |');
    expect(table).to.include('| `MODE` |  | One \\| other. One of `a`, `b`. |');
  });

  it('refuses a document without a place for it', () => {
    expect(() => withVariables('# Nothing', [])).to.throw('The document has no place for the variables');
  });
});
