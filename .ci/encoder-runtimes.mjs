/**
 * Checks the WebAssembly runtime of the bundled encoder as a user gets it on a platform without a native build: a
 * service whose onnxruntime-node has no library says what to install, onnxruntime-web is installed by this command into
 * a temporary folder, and the service runs with it. Then texts must have nearly the same vectors in both runtimes, so
 * that a store can move between them. Needs a build; ends with 77, not checked, without the npm registry.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const NATIVE = 'onnxruntime-node';
const WEB = 'onnxruntime-web';
/**
 * The model rounds its activations to 8 bits: a difference in the last bit of a sum rounds one of them another way, and
 * later layers amplify it. Two levels of optimization of one runtime differ by 0.006 in the same way, so no setting
 * brings each cosine above 0.999. Measured: 0.989 and 0.9993.
 */
const LEAST_COSINE = 0.98;
const LEAST_MEDIAN = 0.999;
/** Of the cosine of a question and a text, when the other runtime encodes the question. Measured: 0.022. */
const MOST_CHANGE = 0.05;
const START_MS = 180_000; // other work may share the cores
const PING_MS = 60_000;
/** For the installation, and for all texts in one runtime. */
const WORK_MS = 600_000;
const NOT_RUN = 77;

const TEXTS = [
  'x',
  'dark mode',
  'Where is the database hosted?',
  'Postgres runs on a machine in Frankfurt.',
  'Which of the two proposals did Ann prefer in May, and why?',
  'We decided to keep SQLite, because a backup is then a copied file.',
  'ERR_MODULE_NOT_FOUND at loadESM (node:internal/process/esm_loader:34:7)',
  'const total = items.reduce((sum, { price }) => sum + price, 0);',
  'The ferry to Bergen leaves at 12:40 from pier 3; tickets cost 45.50 kr.',
  '2026-11-28T11:15:42Z 8d1c9a54-7e0b-4f6f-9a5e-0a8f6d1b2c3d 192.168.0.17',
  '😀 🎉 shipped it 🚀🚀',
  'a \ud83d b',
  'Le café du coin ferme à midi le dimanche.',
  'Die Fähre nach Bergen fährt mittags ab.',
  'Паром отправляется в полдень.',
  '日本語のメモ:会議は金曜日です。',
  'العبارة تغادر عند الظهر',
  'Marianne likes strawberry cake. '.repeat(8),
  'The indexer reads each event once and saves its position after the write. '.repeat(14),
  'word '.repeat(2_000),
  '日本語'.repeat(50),
];
/** Prints the runtime and the vectors, or why the model cannot be opened. */
const PROGRAM = `
  const [module] = process.argv.slice(1);
  const { openModel } = await import(module);
  try {
    const { runtime, encode } = await openModel();
    const began = performance.now();
    const vectors = [];
    for (const text of ${JSON.stringify(TEXTS)})
      for (const isQuery of [true, false]) vectors.push([...(await encode(text, { isQuery }))]);
    console.log(JSON.stringify({ runtime, vectors, seconds: (performance.now() - began) / 1000 }));
  } catch (error) {
    console.log(JSON.stringify({ problem: error.message }));
  }`;

if (spawnSync('npm', ['ping'], { timeout: PING_MS }).status !== 0) {
  console.log('encoder-runtimes: not checked, because the npm registry cannot be reached');
  process.exit(NOT_RUN);
}

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-runtimes-'));
try {
  const service = copyService();
  const { problem = 'a runtime was found' } = encode(service);
  const [, command] = /run `(npm install [^`]+)`, or the same with onnxruntime-web/u.exec(problem) ?? [];
  if (command === undefined) throw new Error(`the error does not say what to install: ${problem}`);
  await start(service, /npm install.*bundled encoder ended/u);
  execFileSync('sh', ['-c', command.replace(NATIVE, WEB)], { cwd: folder, stdio: 'inherit', timeout: WORK_MS });
  await start(service, /"runtime":"onnxruntime-web".*bundled encoder is ready/u);
  compare(encode(REPOSITORY), encode(service));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Below the folder of the installation, so that npm does not remove what it has not installed. */
function copyService() {
  const service = join(folder, 'service');
  const [modules, native] = [join(REPOSITORY, 'node_modules'), join(service, 'node_modules', NATIVE)];
  mkdirSync(join(service, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  cpSync(join(REPOSITORY, 'package.json'), join(service, 'package.json'));
  const tests = join(REPOSITORY, 'dist/test');
  cpSync(join(REPOSITORY, 'dist'), join(service, 'dist'), { recursive: true, filter: (path) => path !== tests });
  for (const name of readdirSync(modules))
    if (name !== NATIVE) symlinkSync(join(modules, name), join(service, 'node_modules', name));
  const libraries = join(modules, NATIVE, 'bin');
  cpSync(join(modules, NATIVE), native, { recursive: true, filter: (path) => path !== libraries });
  return service;
}

function encode(root) {
  const module = join(root, 'dist/shared/engines/models/bundled/model.js');
  const flags = ['--input-type=module', '--eval', PROGRAM, module];
  return JSON.parse(execFileSync('node', flags, { encoding: 'utf8', maxBuffer: 1e8, timeout: WORK_MS }));
}

/** Starts the service and waits until it has printed a line. */
async function start(service, line) {
  const child = spawn('node', [join(service, 'dist/deploy/embedded/main.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: '0', PALIMPSEST_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  try {
    await new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`the service ${why} before it printed ${line}: ${output}`));
      const timer = setTimeout(fail, START_MS, `took ${START_MS} ms`);
      void ended.then(([status]) => fail(`ended with ${status}`)).finally(() => clearTimeout(timer));
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
          if (line.test(output)) resolve(clearTimeout(timer));
        });
    });
    console.log(`the service printed ${line.exec(output)[0]}`);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function compare(native, web) {
  if (native.runtime !== NATIVE || web.runtime !== WEB)
    throw new Error(`compared ${native.runtime ?? native.problem} with ${web.runtime ?? web.problem}`);
  const cosines = native.vectors
    .map((vector, index) => ({
      text: TEXTS[Math.floor(index / 2)],
      purpose: index % 2 === 0 ? 'query' : 'passage',
      cosine: cosineOf(vector, web.vectors[index]),
    }))
    .sort((one, other) => one.cosine - other.cosine);
  for (const { text, purpose, cosine } of cosines)
    console.log(`${cosine.toFixed(6)} ${purpose} ${JSON.stringify(text.slice(0, 60))}`);
  console.log(`${NATIVE} took ${native.seconds.toFixed(1)} s, ${WEB} ${web.seconds.toFixed(1)} s`);
  const [least, median, change] = [cosines[0].cosine, cosines[cosines.length >> 1].cosine, changeOf(native, web)];
  const found = `cosines of ${cosines.length} vectors: least ${least.toFixed(6)}, median ${median.toFixed(6)}; most change ${change.toFixed(4)}`;
  // Not a number is no agreement.
  if (!(least >= LEAST_COSINE && median >= LEAST_MEDIAN && change <= MOST_CHANGE)) throw new Error(found);
  console.log(found);
}

/** The largest change of the cosine of a question and a text when the other runtime encodes the question. */
function changeOf(native, web) {
  const [questions, passages] = [0, 1].map((purpose) => native.vectors.filter((_, index) => index % 2 === purpose));
  const changes = questions.flatMap((question, index) =>
    passages.map((passage) => Math.abs(cosineOf(question, passage) - cosineOf(web.vectors[2 * index], passage))),
  );
  return Math.max(...changes);
}

function cosineOf(one, other) {
  return one.reduce((sum, value, at) => sum + value * other[at], 0);
}
