/**
 * Runs the steps of the Dockerfile without a builder of images, as root on Linux: each stage is an overlay over the
 * file system of this machine, so the base is this machine and its Node. Then starts the result as the image's user
 * over a read-only root, waits for its health check, stores and recalls, and prints the size of the layers above the
 * base. All mounts end with the process.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 120_000;
const TOKEN = 'secret';

if (process.env.IMAGE_NAMESPACE !== 'own') {
  const flags = ['--mount', '--propagation', 'private', process.execPath, fileURLToPath(import.meta.url)];
  const { status } = spawnSync('unshare', flags, { stdio: 'inherit', env: { ...process.env, IMAGE_NAMESPACE: 'own' } });
  process.exit(status ?? 1);
}

const work = '/mnt';
run('mount', ['-t', 'tmpfs', 'tmpfs', work]);
const context = join(work, 'context');
mkdirSync(context);
run('sh', ['-c', `git -C '${REPOSITORY}' archive HEAD | tar -x -C ${context}`]);
for (const ignored of read('.dockerignore').filter((line) => !/[#*]/u.test(line)))
  run('rm', ['-rf', join(context, ignored)]);

const stages = [];
for (const step of stepsOf(read('Dockerfile'))) execute(step);
const image = stages.at(-1);
console.log(`the layers above the base take ${run('du', ['-sm', image.layer]).split('\t')[0]} MB`);
await startImage();

/** Instructions with their continued lines. */
function stepsOf(lines) {
  const text = lines.filter((line) => !line.startsWith('#')).join('\n');
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^(\w+) +(.*)$/u.exec(line))
    .map(([, instruction, rest]) => ({ instruction, rest }));
}

function execute({ instruction, rest }) {
  console.log(`${instruction} ${rest}`);
  const stage = stages.at(-1);
  switch (instruction) {
    case 'FROM':
      return stages.push(openStage(rest.split(' AS ')[1] ?? 'image'));
    case 'WORKDIR':
      stage.folder = rest;
      return run('mkdir', ['-p', stage.root + rest]);
    case 'COPY':
      return copy(rest.split(' '), stage);
    case 'RUN':
      return run('chroot', [stage.root, 'sh', '-c', `cd ${stage.folder} && ${rest}`]);
    case 'ENV':
      for (const pair of rest.split(' '))
        stage.env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
      return undefined;
    case 'ENTRYPOINT':
    case 'CMD':
      stage[instruction] = JSON.parse(rest);
      return undefined;
    case 'HEALTHCHECK':
      stage.HEALTHCHECK = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4));
      return undefined;
    case 'USER':
      stage.user = rest;
      return undefined;
    case 'LABEL':
    case 'EXPOSE':
      return undefined;
    default:
      throw new Error(`the instruction ${instruction} is unknown: add it here`);
  }
}

function openStage(name) {
  const [layer, scratch, root] = ['layer', 'scratch', 'root'].map((part) => join(work, name, part));
  for (const path of [layer, scratch, root]) mkdirSync(path, { recursive: true });
  run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${layer},workdir=${scratch}`, root]);
  for (const path of ['/dev', '/proc']) run('mount', ['--rbind', path, root + path]);
  return { name, layer, root, folder: '/', env: {} };
}

/** As Docker does, the content of a folder is copied, and a target that ends with a slash is a folder. */
function copy(words, stage) {
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : null;
  const base = from === null ? context : stages.find(({ name }) => name === from).root;
  const target = join(stage.root, stage.folder, words.pop());
  for (const source of words) {
    const isFolder = run('sh', ['-c', `test -d '${join(base, source)}' && echo folder || true`]).trim() === 'folder';
    run('mkdir', ['-p', isFolder ? target : join(target, '..')]);
    run('cp', ['-a', isFolder ? `${join(base, source)}/.` : join(base, source), target]);
  }
}

async function startImage() {
  run('mount', ['-t', 'tmpfs', '-o', 'uid=1000,gid=1000,mode=700', 'tmpfs', join(image.root, 'data')]);
  run('mount', ['-o', 'remount,ro', image.root]);
  const port = await freePort();
  const env = {
    ...process.env,
    ...image.env,
    PORT: String(port),
    SERVICE_API_TOKEN: TOKEN,
    HOME: '/',
    LOG_LEVEL: 'warn',
  };
  const inside = (command) => [
    `--userspec=${image.user}`,
    image.root,
    'sh',
    '-c',
    `cd ${image.folder} && exec "$@"`,
    'sh',
    ...command,
  ];
  const service = spawn('chroot', inside([...image.ENTRYPOINT, ...image.CMD]), { env, stdio: 'inherit' });
  const ended = once(service, 'close');
  try {
    const deadline = Date.now() + START_MS;
    while (spawnSync('chroot', inside(image.HEALTHCHECK), { env }).status !== 0) {
      if (Date.now() > deadline || service.exitCode !== null) throw new Error('the image is not healthy');
      await sleep(500);
    }
    console.log(`healthy as ${image.user} over a read-only root`);
    console.log(`palimpsest ${run('chroot', inside(['palimpsest', '--version'])).trim()}`);
    const call = async (path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return answer.json();
    };
    await call('/memory', { content: 'My cat is called Misha' });
    const { results } = await call('/recall?query=the+name+of+my+kitten');
    if (!results[0]?.memory.content.includes('Misha')) throw new Error('the memory is not recalled');
    console.log(`stored and recalled: match_type ${results[0].match_type}`);
  } finally {
    service.kill('SIGTERM');
    const [status] = await ended;
    console.log(`stopped with ${status}`);
    if (status !== 0) process.exitCode = 1;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function read(file) {
  return readFileSync(join(REPOSITORY, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function run(program, flags) {
  return execFileSync(program, flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 });
}
