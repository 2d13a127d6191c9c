/** Runs the page about webhooks as a reader does: its request, its receivers, and the delivery that it shows. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { CONCURRENT_REQUESTS } from '../../projectors/jobs/webhook-sender/lane-queue.js';
import type { CloudEvent } from '../../shared/contract/events.js';
import { ENVELOPE_LIMIT_BYTES } from '../../shared/contract/limits.js';
import {
  DELIVERIES_LIMIT,
  WEBHOOK_DESCRIPTION_LIMIT,
  WEBHOOK_TAGS_LIMIT,
  WEBHOOK_URL_LIMIT,
  WEBHOOKS_LIMIT,
} from '../../shared/contract/maintenance/webhooks.js';
import { pathWithCurl } from '../support/checks/first-minute.js';
import { skipWithReason } from '../support/checks/not-run.js';
import { REPOSITORY } from '../support/checks/source-files.js';
import { until } from '../support/checks/until.js';
import { startWebhookReceiver } from '../support/clients/webhook-receiver.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';
import { freePort } from '../support/processes/free-port.js';
import { findProgram } from '../support/processes/programs.js';

const run = promisify(execFile);
const PAGE = readFileSync(join(REPOSITORY, 'deploy/docs/webhooks.md'), 'utf8');
const TOKENS = { SERVICE_API_TOKEN: 'your-token', ADMIN_API_TOKEN: 'your-admin-token' };
const HEADERS = { authorization: `Bearer ${TOKENS.SERVICE_API_TOKEN}`, 'x-admin-token': TOKENS.ADMIN_API_TOKEN };

/** The block after the marker `<!-- name -->`. */
function block(name: string): string {
  const text = new RegExp(`<!-- ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, 'u').exec(PAGE)?.[1];
  if (text === undefined) throw new Error(`webhooks.md has no block after <!-- ${name} -->: add the marker`);
  return text;
}

describe('the page about webhooks', () => {
  let folder: TempFolder;
  let service: ChildService;
  before(async () => {
    folder = await createTempFolder();
    await symlink(join(REPOSITORY, 'node_modules'), join(folder.path, 'node_modules'));
    service = await startChildService({
      dataFolder: folder.path,
      variables: { ...TOKENS, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
  });
  after(async () => {
    await service?.stop('SIGTERM');
    await folder?.remove();
  });

  /** By the request of the page. Returns the secret. */
  async function createWebhook(port: number): Promise<string> {
    const text = block('create').replace('http://localhost:8001', service.url).replace('8090', String(port));
    const variables = { PATH: await pathWithCurl(folder.path), ...TOKENS };
    const { stdout } = await run('sh', ['-euc', text], { env: variables });
    return (JSON.parse(stdout) as { readonly secret: string }).secret;
  }

  /** Runs a receiver of the page until it ends. */
  async function startReceiver(file: string, program: string, port: number, secret: string) {
    const text = block(file).replace('8090', String(port));
    const path = join(folder.path, file.replace(/ts$/u, 'mjs'));
    await writeFile(path, file.endsWith('ts') ? (await transform(text, { loader: 'ts' })).code : text);
    const child = spawn(program, [path], { env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(({ status }) => status);
    return {
      output: () => output,
      /** Sends a request without a signature, as soon as it listens. */
      postUnsigned: () => until(`${file} listens`, () => post().catch(() => null)),
      stop: async () => {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      },
    };
  }

  const store = async (): Promise<string> => {
    const body = { content: 'Our kitten refuses to eat anything but tuna' };
    const { status, body: stored } = await service.request('POST', '/memory', { headers: HEADERS, body });
    expect(status).to.equal(201);
    return stored.memory_id as string;
  };

  it('shows the limits of the code', () => {
    const rows = [...PAGE.matchAll(/^\| ([a-z ]+) \| ([\d,]+) \|$/gmu)].map(([, name = '', value = '']) => [
      name,
      Number(value.replaceAll(',', '')),
    ]);
    expect(Object.fromEntries(rows)).to.deep.equal({
      'webhooks of a deployment': WEBHOOKS_LIMIT,
      'tags of a webhook': WEBHOOK_TAGS_LIMIT,
      'characters of an address': WEBHOOK_URL_LIMIT,
      'characters of a description': WEBHOOK_DESCRIPTION_LIMIT,
      'requests of a webhook at the same time': CONCURRENT_REQUESTS,
      'bytes of an event': ENVELOPE_LIMIT_BYTES,
      'deliveries in one page of the log': DELIVERIES_LIMIT,
    });
  });

  it('shows a delivery with the headers and the fields of a real one', async () => {
    const [head = '', body = ''] = block('delivery').trimEnd().split('\n\n');
    const shown = Object.fromEntries(
      head
        .split('\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    );
    const { 'webhook-id': id = '', 'webhook-timestamp': seconds } = shown;
    const [, secret = ''] = /secret `(whsec_[^`]+)`/u.exec(PAGE) ?? [];
    const signature = new Webhook(secret).sign(id, new Date(Number(seconds) * 1_000), body);
    expect(shown).to.include({ 'webhook-signature': signature, 'content-length': String(body.length) });

    const receiver = await startWebhookReceiver();
    try {
      receiver.expectSecrets(await createWebhook(receiver.port));
      const path = `/memory/${await store()}`;
      expect((await service.request('DELETE', path, { headers: HEADERS })).status).to.equal(200);
      const real = await until('the deletion arrives', () =>
        receiver.received.find(({ event }) => event.type === 'memory.deleted'),
      );
      const ofConnection = ['host', 'connection'];
      expect(Object.keys(shown)).to.have.members(
        Object.keys(real.headers).filter((name) => !ofConnection.includes(name)),
      );
      expect(real.headers).to.include({ 'content-type': shown['content-type'], 'user-agent': shown['user-agent'] });
      const shownEvent = JSON.parse(body) as CloudEvent;
      expect(Object.keys(shownEvent)).to.deep.equal(Object.keys(real.event).filter((name) => name !== 'actoragent'));
      expect(shownEvent.data).to.deep.equal(real.event.data);
      expect(receiver.rejected).to.deep.equal([]);
    } finally {
      await receiver.close();
    }
  });

  for (const [file, name] of [
    ['receive.ts', 'node'],
    ['receive.py', 'python3'],
  ] as const)
    it(`has a receiver that takes signed events alone: ${file}`, async function () {
      const program = name === 'node' ? process.execPath : findProgram(name);
      if (program === null) return skipWithReason(this, `${file} of the page about webhooks: ${name} is missing`);
      const port = await freePort();
      const receiver = await startReceiver(file, program, port, await createWebhook(port));
      try {
        expect(await receiver.postUnsigned(), receiver.output()).to.equal(401);
        const line = new RegExp(`^memory\\.stored ${await store()} \\S+$`, 'mu');
        await until(`${file} prints the event`, () => line.test(receiver.output()));
      } finally {
        await receiver.stop();
      }
    });
});
