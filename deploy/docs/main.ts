/** `npm run docs:variables` writes the tables of variables into the README; with `--check` it only says whether they are up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALL_VARIABLES } from './all-variables.js';
import { withVariables } from './variables-table.js';

/** The compiled file stands in `dist/deploy/docs`. */
const README = fileURLToPath(new URL('../../../README.md', import.meta.url));

const present = readFileSync(README, 'utf8');
const wanted = withVariables(present, ALL_VARIABLES);
if (wanted === present) process.stdout.write('README.md is up to date\n');
else if (process.argv.includes('--check')) {
  process.stderr.write('The variables in README.md are out of date: run `npm run docs:variables`\n');
  process.exitCode = 1;
} else {
  writeFileSync(README, wanted);
  process.stdout.write('README.md has been written\n');
}
