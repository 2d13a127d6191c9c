/**
 * Makes the files of the two sites from `app/`, each with one script, one style sheet, its page and an icon: the
 * console, and the page of the API. The build runs it after the compiler. Throws when a site is larger than its budget.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { CONSOLE_FILES, DOCS_FILES } from '../../shared/contract/graph-views/graph-view-operations.js';

const root = new URL('../../../', import.meta.url);
const app = new URL('deploy/console/app/', root);
const site = new URL('site/', import.meta.url);

type Site = {
  readonly name: string;
  /** In `app/`. */
  readonly sources: readonly string[];
  /** To be copied. */
  readonly others: readonly string[];
  readonly files: readonly string[];
  /** Of all files together, compressed. */
  readonly budgetBytes: number;
};

await bundle({
  name: 'console',
  sources: ['console.tsx', 'console.css'],
  others: ['index.html', 'icon.svg'],
  files: CONSOLE_FILES,
  budgetBytes: 48 * 1024,
});
// Nearly all of it is Swagger UI.
await bundle({
  name: 'docs',
  sources: ['docs/docs.ts', 'docs/docs.css'],
  others: ['docs/index.html', 'icon.svg'],
  files: DOCS_FILES,
  budgetBytes: 500 * 1024,
});

async function bundle({ name, sources, others, files, budgetBytes }: Site): Promise<void> {
  const folder = new URL(`${name}/`, site);
  await build({
    entryPoints: sources.map((source) => fileURLToPath(new URL(source, app))),
    outdir: fileURLToPath(folder),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  for (const other of others) copyFileSync(new URL(other, app), new URL(other.replace(/^.*\//u, ''), folder));
  const bytes = files
    .map((file) => gzipSync(readFileSync(new URL(file, folder))).length)
    .reduce((sum, each) => sum + each);
  if (bytes > budgetBytes)
    throw new Error(`The site ${name} is ${bytes} bytes compressed; its budget is ${budgetBytes}: make it smaller`);
}
