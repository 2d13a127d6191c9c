/**
 * Joins the modules of each program into few files, because a start that loads hundreds of modules takes a third
 * longer. The build runs it after the compiler, whose `main.js` files it replaces. All other modules stay: database
 * threads, tests and importers of the package load them one by one.
 */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const PROGRAMS = [
  'command-api/main.ts',
  'command-api/relay/main.ts',
  'deploy/commands/main.ts',
  'deploy/embedded/main.ts',
  'deploy/gateway/main.ts',
  'deploy/mcp/main.ts',
  'projectors/main.ts',
  'query-api/main.ts',
  'shared/engines/models/bundled/encoder-process.ts',
];
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A module finds the files near it by `import.meta.url`, which must be its own address and not that of the bundle. */
const ownAddress: Plugin = {
  name: 'own-address',
  setup(bundle) {
    // esbuild reads the filter as a Go expression, which has no flag u.
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = path.slice(root.length).replace(/\.ts$/u, '.js');
      const address = `(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/')) + '/dist/${file}')`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

/** The check of Node's version runs before any other module is loaded. */
const nodeFirst: Plugin = {
  name: 'node-first',
  setup(bundle) {
    bundle.onResolve({ filter: /\/main\.ts$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? { path: join(root, path), namespace: 'program' } : null,
    );
    bundle.onLoad({ filter: /./, namespace: 'program' }, ({ path }) => {
      const [first = ''] = readFileSync(path, 'utf8').split('\n');
      const check = relative(dirname(path), join(root, 'shared/kernel/require-node.js'));
      const contents = [...(first.startsWith('#!') ? [first] : []), `import '${check}';`, `await import('${path}');`];
      return { contents: contents.join('\n'), resolveDir: root, loader: 'ts' };
    });
    bundle.onResolve({ filter: /\/require-node\.js$/ }, ({ path, namespace }) =>
      namespace === 'program' ? { path, external: true } : null,
    );
  },
};

rmSync(new URL('../chunks/', import.meta.url), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: PROGRAMS,
  outbase: root,
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
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
  plugins: [nodeFirst, ownAddress],
});
