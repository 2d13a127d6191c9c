/**
 * Joins the modules of each program into few files, because a start that loads hundreds of modules takes a third
 * longer. The build runs it after the compiler, whose `main.js` files it replaces. All other modules stay: database
 * threads, tests and importers of the package load them one by one.
 */
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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

/** Returns the changed source of a module. `file` is relative to the repository: `shared/contract/events.ts`. */
export type Alter = (source: string, file: string) => string;

/** A module finds the files near it by `import.meta.url`, which must be its own address and not that of the bundle. */
function loadModules(alter: Alter): Plugin {
  return {
    name: 'modules',
    setup(bundle) {
      // esbuild reads the filter as a Go expression, which has no flag u.
      bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = pathToFileURL(path).href.slice(root.href.length);
        const address = `(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/')) + '/dist/${file.replace(/\.ts$/u, '.js')}')`;
        const source = alter(readFileSync(path, 'utf8'), file);
        return { contents: source.replaceAll('import.meta.url', address), loader: 'ts' };
      });
    },
  };
}

/**
 * Bundles the programs into the folder of `dist`, each as `<program>.js`. A test makes another release of the service
 * with `alter`.
 */
export async function bundlePrograms(
  folder: string,
  {
    alter = (source) => source,
    also = [],
  }: { readonly alter?: Alter; readonly also?: { in: string; out: string }[] } = {},
): Promise<void> {
  rmSync(new URL(`${folder}/`, output), { recursive: true, force: true });
  await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [...PROGRAMS.map((program) => ({ in: `${program}/main.ts`, out: `${folder}/${program}` })), ...also],
    outdir: fileURLToPath(output),
    chunkNames: `${folder}/chunks/[name]-[hash]`,
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
    plugins: [loadModules(alter)],
  });
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  await bundlePrograms('programs', { also: [{ in: `${ENCODER}.ts`, out: ENCODER }] });
  // The check of Node's version runs before any other module is loaded.
  for (const program of PROGRAMS) {
    const up = '../'.repeat(program.split('/').length);
    const lines = [`import '${up}shared/kernel/require-node.js';`, `await import('${up}programs/${program}.js');`];
    writeFileSync(new URL(`${program}/main.js`, output), ['#!/usr/bin/env node', ...lines, ''].join('\n'));
  }
}
