/**
 * Runs the blocks of the README as they stand, as a new user does: `node .ci/readme.mjs FOLDER NAME...` runs the blocks with these
 * names (`start`, `tests`, `distributed`) in FOLDER, an empty folder for the clone. Only REPOSITORY_URL is replaced, by
 * the repository of this script. Prints `N passed, N failed` at the end, with the counts of the README's test command.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 8 * 60_000;
const STOP_MS = 60_000;

const [folder = '', ...names] = process.argv.slice(2);
const clone = join(folder, 'palimpsest');
const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
const counts = { passed: 0, failed: 0 };

/** The block after the marker `<!-- name -->`. */
function block(name, language = 'sh') {
  const marker = `<!-- ${name} -->\n\`\`\`${language}\n`;
  const from = readme.indexOf(marker);
  if (from < 0) throw new Error(`README.md has no ${language} block after <!-- ${name} -->: add the marker`);
  return readme.slice(from + marker.length, readme.indexOf('```', from + marker.length));
}

/** Starts a block in a shell of its own process group. Its output goes to stdout, too. */
function run(text, { cwd, program = 'sh', flags = ['-c'] }) {
  const child = spawn(program, [...flags, text], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
  const ended = once(child, 'close').then(([status]) => status);
  return {
    output: () => output,
    ended,
    /** Resolves when the output matches, and rejects when the program ends before that. */
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${pattern} within ${START_MS} ms`)), START_MS);
        const check = () => {
          if (!pattern.test(output)) return;
          clearTimeout(timer);
          resolve();
        };
        child.stdout.on('data', check);
        void ended.then((status) => reject(new Error(`ended with ${status} before ${pattern}`)));
      }),
    /** As Ctrl-C does: a signal to the whole group. */
    interrupt: async () => {
      process.kill(-child.pid, 'SIGINT');
      const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function check(title, step) {
  try {
    await step();
    counts.passed += 1;
    console.log(`README: ${title}: passed`);
  } catch (error) {
    counts.failed += 1;
    console.log(`README: ${title}: FAILED: ${error.message}`);
  }
}

function expect(isTrue, problem) {
  if (!isTrue) throw new Error(problem);
}

/** The lines of the first minute: the association, the recall by meaning and the recall by keyword, each as formatted JSON. */
async function firstMinute(language, shell) {
  const lines = run(block('first minute', language), { cwd: folder, ...shell });
  expect((await lines.ended) === 0, 'a line failed');
  const answers = lines
    .output()
    .trim()
    .split(/\r?\n(?=\{)/u);
  expect(answers.length === 3, `${answers.length} answers instead of 3`);
  expect(
    answers.every((answer) => answer.split('\n').length > 3),
    'an answer is not formatted',
  );
  const [associated, byMeaning, byKeyword] = answers.map((answer) => JSON.parse(answer));
  expect(associated.relation_type === 'LEADS_TO', 'the memories are not associated');
  expect(byMeaning.results[0]?.content.includes('kitten'), 'the memory is not recalled by meaning');
  expect(byMeaning.results[0].match_type === 'semantic', `match_type is ${byMeaning.results[0].match_type}`);
  expect(byKeyword.results[0]?.content.includes('PRD-4711'), 'the memory is not recalled by its keyword');
}

/** The greeting is the last output of the start: only log lines of requests follow it. */
function expectGreetingLast(output) {
  const [, rest = ''] = output.split(/^Try:$/mu);
  const [first = ''] = rest.split('\n').filter((line) => line.startsWith('{'));
  expect(rest !== '', 'the start does not print what to try');
  expect(first === '' || JSON.parse(first).msg === 'request', `a log line follows the greeting: ${first}`);
}

/** Starts the service by a block, pastes the first minute at once, and stops it with Ctrl-C. */
async function serve(title, text, { cwd, shells }) {
  const service = run(text, { cwd });
  await check(`${title} starts`, async () => {
    await service.prints(/listens on http:\/\/(?:localhost|127\.0\.0\.1):8001[^]*\/health/u);
  });
  for (const [language, shell] of shells)
    await check(`${title}, lines for ${language}`, () => firstMinute(language, shell));
  await check(`${title} ends its start with what to try`, () => expectGreetingLast(service.output()));
  await check(`${title} stops at Ctrl-C`, () => service.interrupt());
}

const isInstalled = (program) =>
  new Promise((resolve) => {
    spawn(program, ['-Version'], { stdio: 'ignore' })
      .on('error', () => resolve(false))
      .on('close', () => resolve(true));
  });

const steps = {
  async start() {
    const text = block('clone').replace('REPOSITORY_URL', `'${REPOSITORY}'`);
    const shells = [['sh', {}]];
    if (await isInstalled('pwsh')) shells.push(['powershell', { program: 'pwsh', flags: ['-NoProfile', '-Command'] }]);
    else console.log('not run: README in PowerShell: pwsh is missing: install PowerShell');
    await serve('npm start', text, { cwd: folder, shells });
  },
  async tests() {
    const began = Date.now();
    const tests = run(block('tests'), { cwd: clone });
    const status = await tests.ended;
    const count = (word) => Number(new RegExp(`^ *(\\d+) ${word}`, 'mu').exec(tests.output())?.[1] ?? 0);
    counts.passed += count('passing');
    counts.failed += count('failing') || (status === 0 ? 0 : 1);
    console.log(`README: npm ci && npm test took ${Math.round((Date.now() - began) / 1_000)} s`);
  },
  async distributed() {
    await serve('npm run start:distributed', block('distributed'), { cwd: clone, shells: [['sh', {}]] });
  },
};

for (const name of names) await steps[name]();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
