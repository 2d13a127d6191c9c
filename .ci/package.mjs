/**
 * Checks the published package as a stranger gets it: packs the package and its weights, installs both into an empty
 * folder, compiles a program against `palimpsest/client`, removes what other platforms need, and starts the service. The
 * program stores and recalls under Node, Deno and Bun. Prints the size of the installation. Needs a build and the npm
 * registry.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
/** npm brings their programs. */
const RUNTIMES = { deno: '2.9.6', bun: '1.4.5' };
const INSTALL_MS = 120_000;
const START_MS = 180_000; // other work may share the cores
/** Stored by the program below, which recalls it with another word. */
const PROGRAM = `import { createClient, type ClientAnswer } from 'palimpsest/client';
const client = createClient({ baseUrl: process.argv[2] ?? '', token: 'secret', userAgent: 'package-check' });
const stored: ClientAnswer = await client.call('storeMemory', { body: { content: 'My cat is called Misha' } });
const found = await client.call('recall', { query: { query: 'the name of my kitten' } });
// @ts-expect-error the client knows the names of the operations
void (() => client.call('storeMemories', {}));
console.log(JSON.stringify({ stored, found }));
`;

/** The line of deploy/docs/operations.md that removes the native runtime of other platforms. */
const [PRUNE] = /^find node_modules\/onnxruntime-node.*$/mu.exec(
  readFileSync(join(REPOSITORY, 'deploy/docs/operations.md'), 'utf8'),
);

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-package-'));
try {
  const tarballs = pack();
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], folder);
  writeFileSync(join(folder, 'program.mts'), PROGRAM);
  const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  const types = join(REPOSITORY, 'node_modules/@types');
  const flags = '--strict --target es2022 --module nodenext --types node program.mts'.split(' ');
  run('node', [compiler, '--typeRoots', types, ...flags], folder);
  console.log(`the installation takes ${megabytes(printSizes())}`);
  run('sh', ['-c', PRUNE], folder);
  console.log(`without the files of other platforms it takes ${megabytes(sizeOf(join(folder, 'node_modules')))}`);
  await storeAndRecall();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The build is there, so only the types of the client are made. */
function pack() {
  run('npm', ['run', 'prepack', '--silent'], REPOSITORY);
  const flags = [
    '--ignore-scripts',
    '--json',
    '--workspaces',
    '--include-workspace-root',
    '--pack-destination',
    folder,
  ];
  const packed = JSON.parse(run('npm', ['pack', ...flags], REPOSITORY));
  return Object.values(packed).map(({ name, filename, size, unpackedSize, entryCount }) => {
    console.log(`${name}: ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked, ${entryCount} files`);
    return `./${filename}`;
  });
}

async function storeAndRecall() {
  const service = spawn('node', [join(folder, 'node_modules/palimpsest/dist/deploy/embedded/main.js')], {
    cwd: folder,
    env: { ...process.env, PORT: '0', SERVICE_API_TOKEN: 'secret', LOG_LEVEL: 'warn', HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'close');
  try {
    const address = await addressOf(service, ended);
    runProgram('node', [], address);
    const runtimes = installRuntimes();
    if (runtimes === null) console.log('not run: the client under Deno and Bun: npm could not install them');
    else {
      runProgram(join(runtimes, 'deno'), ['run', '--allow-net'], address);
      runProgram(join(runtimes, 'bun'), [], address);
    }
  } finally {
    service.kill('SIGTERM');
    const [status] = await ended;
    if (status !== 0) process.exitCode = 1;
    console.log(`the installed service stopped with ${status}`);
  }
}

function runProgram(runtime, flags, address) {
  const { stored, found } = JSON.parse(run(runtime, [...flags, 'program.mjs', address], folder));
  if (stored.status !== 201) throw new Error(`${runtime} stored nothing: ${JSON.stringify(stored)}`);
  const [first] = found.body.results;
  if (!first?.memory.content.includes('Misha'))
    throw new Error(`${runtime} recalled nothing: ${JSON.stringify(found)}`);
  console.log(`${basename(runtime)} stored and recalled by the installed package: match_type ${first.match_type}`);
}

/** The folder of their programs, or null. */
function installRuntimes() {
  const home = join(folder, 'runtimes');
  mkdirSync(home);
  const packages = Object.entries(RUNTIMES).map(([name, version]) => `${name}@${version}`);
  const flags = ['install', '--prefix', home, '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  const { status } = spawnSync('npm', flags, { cwd: home, stdio: 'inherit', timeout: INSTALL_MS });
  return status === 0 ? join(home, 'node_modules/.bin') : null;
}

function addressOf(service, ended) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`no address within ${START_MS} ms: ${output}`)), START_MS);
    void ended.then(([status]) => reject(new Error(`the service ended with ${status}: ${output}`)));
    service.stdout.on('data', (chunk) => {
      output += chunk;
      const [address] = /http:\/\/localhost:\d+/u.exec(output) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/** Of the largest packages. Returns the sum of all. */
function printSizes() {
  const modules = join(folder, 'node_modules');
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
    );
  const sizes = names.map((name) => ({ name, size: sizeOf(join(modules, name)) })).sort((a, b) => b.size - a.size);
  for (const { name, size } of sizes.slice(0, 5)) console.log(`  ${name}: ${megabytes(size)}`);
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

function sizeOf(path) {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function run(program, flags, cwd) {
  return execFileSync(program, flags, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
