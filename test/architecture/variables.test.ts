import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ALL_VARIABLES, variablesTable, withVariables } from '../../deploy/docs/generate/variables-table.js';
import type { Variable } from '../../shared/kernel/config/config.js';
import { readSourceFiles, REPOSITORY } from '../support/checks/source-files.js';

describe('the table of variables', () => {
  it('matches the declarations in the sources', () => {
    const page = readFileSync(join(REPOSITORY, 'deploy/docs/configuration.md'), 'utf8');
    expect(withVariables(page, ALL_VARIABLES) === page, 'run `npm run docs:variables`').to.equal(true);
  });

  it('has each group of variables that the sources declare', () => {
    const declaring = readSourceFiles()
      .filter(({ path, text }) => !path.startsWith('test/') && /satisfies readonly Variable\[\]/u.test(text))
      .map(({ path }) => path);
    const [table] = readSourceFiles().filter(({ path }) => path === 'deploy/docs/generate/variables-table.ts');
    expect(
      declaring.filter((path) => !table?.files.includes(path)),
      'name these in deploy/docs/generate/variables-table.ts',
    ).to.deep.equal([]);
  });

  it('shows each variable once, and all readers read it in the same way', () => {
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

  it('shows defaults with units, aliases and limits', () => {
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

  it('rejects a document without a place for the table', () => {
    expect(() => withVariables('# Nothing', [])).to.throw('The document has no place for the variables');
  });
});
