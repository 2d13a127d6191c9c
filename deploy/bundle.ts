/**
 * Joins the modules of each program into few files, because a start that loads hundreds of modules takes a third
 * longer. The build runs it after the compiler, whose `main.js` files it replaces. All other modules stay: database
 * threads, tests and importers of the package load them one by one.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** The folders with a `main.ts`. */
const PROGRAMS = [
  'command-api',
  'command-api/relay',
  'deploy/commands',
  'deploy/embedded',
  'deploy/gateway',
  'deploy/mcp',
  'projectors',
  'query-api',
];
const ENCODER = 'shared/engines/models/bundled/encoder-process';
const root = new URL('../../', import.meta.url);
const output = new URL('dist/', root);

/** A module finds the files near it by `import.meta.url`, which must be its own address and not that of the bundle. */
const ownAddress: Plugin = {
  name: 'own-address',
  setup(bundle) {
    // esbuild reads the filter as a Go expression, which has no flag u.
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = pathToFileURL(path).href.slice(root.href.length).replace(/\.ts$/u, '.js');
      const address = `(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/')) + '/dist/${file}')`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

rmSync(new URL('programs/', output), { recursive: true, force: true });
await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: [
    ...PROGRAMS.map((program) => ({ in: `${program}/main.ts`, out: `programs/${program}` })),
    { in: `${ENCODER}.ts`, out: ENCODER },
  ],
  outdir: fileURLToPath(output),
  chunkNames: 'programs/chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [ownAddress],
});
// The check of Node's version runs before any other module is loaded.
for (const program of PROGRAMS) {
  const up = '../'.repeat(program.split('/').length);
  const lines = [`import '${up}shared/kernel/require-node.js';`, `await import('${up}programs/${program}.js');`];
  writeFileSync(new URL(`${program}/main.js`, output), ['#!/usr/bin/env node', ...lines, ''].join('\n'));
}
