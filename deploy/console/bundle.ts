/**
 * Makes the files of the console from `app/`: one script, one style sheet, the page and its icon. The build runs it
 * after the compiler. Throws when the files are larger than their budget.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import type { Operation } from '../../shared/contract/operation.js';
import { OPERATIONS } from '../../shared/contract/operations.js';

/** All files of the console together, compressed. */
const BUDGET_BYTES = 40 * 1024;

const root = new URL('../../../', import.meta.url);
const app = new URL('deploy/console/app/', root);
const site = new URL('site/', import.meta.url);

/** The client reads three facts of each operation. The schemas of the whole list would be most of the script. */
const withoutSchemas: Plugin = {
  name: 'operations-without-schemas',
  setup(bundle) {
    // esbuild reads the filter as a Go expression, which has no flag u.
    bundle.onLoad({ filter: /shared\/contract\/operations\.ts$/ }, () => {
      const facts = Object.entries<Operation>(OPERATIONS).map(
        ([name, { method, path, repeatable }]) => [name, { method, path, repeatable }] as const,
      );
      return { contents: `export const OPERATIONS = ${JSON.stringify(Object.fromEntries(facts))};`, loader: 'js' };
    });
  },
};

await build({
  entryPoints: [fileURLToPath(new URL('console.tsx', app)), fileURLToPath(new URL('console.css', app))],
  outdir: fileURLToPath(site),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [withoutSchemas],
});
mkdirSync(site, { recursive: true });
for (const name of ['index.html', 'icon.svg']) copyFileSync(new URL(name, app), new URL(name, site));

const bytes = ['index.html', 'console.js', 'console.css', 'icon.svg']
  .map((name) => gzipSync(readFileSync(new URL(name, site))).length)
  .reduce((sum, each) => sum + each);
if (bytes > BUDGET_BYTES)
  throw new Error(`The console is ${bytes} bytes compressed; its budget is ${BUDGET_BYTES}: make it smaller`);
