/**
 * Runs the README as a new user does: `node .ci/readme.mjs FOLDER NAME...` runs the parts with these names (`start`,
 * `tests`, `distributed`) in FOLDER, an empty folder for the clone. `start` and `distributed` take the whole path:
 * install, start, first minute, command line, Python, MCP, the page of the API, Kubernetes. The blocks run as they
 * stand; only REPOSITORY_URL is replaced, by the repository of this script. The tests of the Python client also run
 * against the distributed service while it is up. Prints the time of each step, and `N passed, N failed` at the end,
 * with the counts of the README's test command.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const SERVICE = 'http://localhost:8001';
/** Of the tests of the Python client. */
const ADMIN_API_TOKEN = 'token-of-the-administrator';
const JSON_BODY = { 'Content-Type': 'application/json' };
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
function run(text, { cwd, program = 'sh', flags = ['-c'], variables = {} }) {
  const env = { ...process.env, ...variables };
  const child = spawn(program, [...flags, text], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
  const began = performance.now();
  try {
    await step();
    counts.passed += 1;
    console.log(`README: ${title}: passed in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  } catch (error) {
    counts.failed += 1;
    console.log(`README: ${title}: FAILED: ${error.message}`);
  }
}

function expect(isTrue, problem) {
  if (!isTrue) throw new Error(problem);
}

/**
 * The lines of the first minute: the association, the recall by meaning and the recall by keyword, each as formatted
 * JSON. Where the service shares its cores with other tests, an answer may say that the index is behind; then the lines
 * run once more.
 */
async function firstMinute(language, { mayBeBehind = false, ...shell }) {
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
  if (mayBeBehind && byMeaning.consistency?.index === false) return firstMinute(language, shell);
  expect(
    byMeaning.results[0]?.content.includes('kitten'),
    `the memory is not recalled by meaning: ${JSON.stringify(byMeaning)}`,
  );
  expect(byMeaning.results[0].match_type === 'semantic', `match_type is ${byMeaning.results[0].match_type}`);
  expect(byKeyword.results[0]?.content.includes('PRD-4711'), 'the memory is not recalled by its keyword');
}

/** Stores by the command line, and recalls by other words. */
async function commandLine() {
  const lines = run(block('command line'), { cwd: clone });
  expect((await lines.ended) === 0, 'a line failed');
  const answers = lines
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const [stored, found] = answers.map((answer) => JSON.parse(answer));
  expect(stored?.status === 'success', 'nothing is stored');
  expect(found?.results[0]?.id === stored.memory_id, 'the memory is not recalled');
}

/** Stores by the Python client, in an environment of its own. */
async function python() {
  const lines = run(block('python'), { cwd: clone });
  expect((await lines.ended) === 0, 'a line failed');
  expect(lines.output().includes("'status': 'success'"), 'nothing is stored');
}

/** In the environment that the README's lines for Python have made. */
async function testPythonClient() {
  const [pytest] = /pytest==[\d.]+/u.exec(readFileSync(join(REPOSITORY, 'test/clients/python.sh'), 'utf8'));
  const tests = 'pytest -q -p no:cacheprovider deploy/clients/python/tests/test_service.py';
  const lines = run(`.venv/bin/python -m pip install -q ${pytest} && .venv/bin/python -m ${tests}`, {
    cwd: clone,
    variables: { PALIMPSEST_URL: SERVICE },
  });
  expect((await lines.ended) === 0, 'a test failed');
}

/** Connects the client of the official SDK to what the README tells Claude Code to start. */
async function agent() {
  const words = run(`claude() { printf '%s\\n' "$@"; }\n${block('mcp')}`, { cwd: clone });
  await words.ended;
  const [command, ...args] = words.output().trimEnd().split('\n--\n')[1].split('\n');
  const { Client } = await fromClone('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await fromClone('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'readme', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, cwd: folder, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const call = async (name, given) => {
      expect(
        tools.some((tool) => tool.name === name),
        `MCP has no tool ${name}`,
      );
      const { isError, content } = await client.callTool({ name, arguments: given });
      expect(!isError, `${name}: ${content[0].text}`);
      return content[0].text;
    };
    await call('store_memory', { content: 'The greenhouse is watered on Mondays', tags: ['home:garden'] });
    const found = await call('recall_memory', { query: 'when do the plants get water', tags: ['home:garden'] });
    expect(found.includes('watered on Mondays'), `MCP does not recall the memory: ${found}`);
  } finally {
    await client.close();
  }
}

/** The page, the document that it loads, and the example of a write from the document as a request. */
async function pageOfTheApi() {
  const page = await fetch(`${SERVICE}/docs`);
  expect(page.ok && (await page.text()).includes('docs.js'), `/docs answers ${page.status}`);
  const { paths } = await (await fetch(`${SERVICE}/openapi.json`)).json();
  const body = JSON.stringify(paths['/memory'].post.requestBody.content['application/json'].example);
  const answer = await fetch(`${SERVICE}/memory`, { method: 'POST', headers: JSON_BODY, body });
  expect(answer.status === 201, `the example ${body} answers ${answer.status}`);
}

async function pageInBrowser(executablePath) {
  const { chromium } = (await fromClone('playwright-core')).default;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${SERVICE}/docs`);
    const operation = page.locator('#operations-Memories-storeMemory');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = await operation.locator('.live-responses-table tbody .response-col_status').textContent();
    expect(status === '201', `the page shows the status ${status}`);
  } finally {
    await browser.close();
  }
}

/** The page that the README names, and what its Helm commands would install. */
async function kubernetes(helm) {
  const [, path] = /\(([^()]+kubernetes\.md)\)/u.exec(readme);
  const page = readFileSync(join(clone, path), 'utf8').replaceAll('\\\n', ' ');
  const commands = [...page.matchAll(/^helm install .*$/gmu)].map(([command]) => command);
  expect(commands.length === 2, `${path} has ${commands.length} Helm commands instead of 2`);
  for (const command of helm ? commands : []) {
    const rendered = run(command.replace('install', 'template --kube-version 1.33.0'), { cwd: clone });
    expect((await rendered.ended) === 0 && rendered.output().includes('kind: Service'), `it fails: ${command}`);
  }
}

/** A module of the clone's `node_modules`. */
function fromClone(name) {
  return import(pathToFileURL(createRequire(join(clone, 'package.json')).resolve(name)).href);
}

/** The greeting is the last output of the start: only log lines of requests follow it. */
function expectGreetingLast(output) {
  const [, rest = ''] = output.split(/^Try:$/mu);
  const [first = ''] = rest.split('\n').filter((line) => line.startsWith('{'));
  expect(rest !== '', 'the start does not print what to try');
  expect(first === '' || JSON.parse(first).msg === 'request', `a log line follows the greeting: ${first}`);
}

/** Installs and starts the service by a block, takes the README's path, and stops the service with Ctrl-C. */
async function serve(title, text, { shells, also = () => Promise.resolve(), ...started }) {
  const began = performance.now();
  const service = run(text, started);
  await check(`${title}, installation`, () => service.prints(/^> palimpsest@\S+ start/mu));
  await check(`${title} starts`, async () => {
    await service.prints(/listens on http:\/\/(?:localhost|127\.0\.0\.1):8001[^]*\/health/u);
  });
  for (const [language, shell] of shells)
    await check(`${title}, lines for ${language}`, () => firstMinute(language, shell));
  await check(`${title}, command line`, commandLine);
  if (await hasPython()) await check(`${title}, Python`, python);
  else console.log('not run: README: the lines for Python: put python3 with venv on the PATH');
  await check(`${title}, MCP`, agent);
  await check(`${title}, page of the API`, pageOfTheApi);
  const chromium =
    (await findProgram('chromium-headless-shell', '--version')) ?? (await findProgram('chromium', '--version'));
  if (chromium) await check(`${title}, page of the API in a browser`, () => pageInBrowser(chromium));
  const helm = await findProgram('helm', 'version');
  if (!helm) console.log('not run: README: the Helm commands of the page about Kubernetes: put helm 3 on the PATH');
  await check(`${title}, Kubernetes`, () => kubernetes(helm));
  console.log(`README: ${title}: the path took ${Math.round((performance.now() - began) / 1_000)} s`);
  await also();
  await check(`${title} ends its start with what to try`, () => expectGreetingLast(service.output()));
  await check(`${title} stops at Ctrl-C`, () => service.interrupt());
}

/** Whether the README's lines for Python can run here. */
async function hasPython() {
  return (await findProgram('python3', '-c "import ensurepip, venv"')) !== null;
}

/** The path of a program that runs here, or null. */
async function findProgram(program, ...flags) {
  const found = run(`${program} ${flags.join(' ')} >/dev/null 2>&1 && command -v ${program}`, { cwd: folder });
  return (await found.ended) === 0 ? found.output().trim() : null;
}

const steps = {
  async start() {
    const text = block('clone').replace('REPOSITORY_URL', `'${REPOSITORY}'`);
    const shells = [['sh', {}]];
    if (await findProgram('pwsh', '-Version'))
      shells.push(['powershell', { program: 'pwsh', flags: ['-NoProfile', '-Command'] }]);
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
    await serve('npm run start:distributed', block('distributed'), {
      cwd: clone,
      shells: [['sh', { mayBeBehind: true }]],
      variables: { ADMIN_API_TOKEN },
      also: async () => {
        if (await hasPython()) await check('npm run start:distributed, tests of the Python client', testPythonClient);
      },
    });
  },
};

for (const name of names) await steps[name]();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
