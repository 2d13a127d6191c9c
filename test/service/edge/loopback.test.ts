/** An API without a token answers callers on this machine alone, and no web page of another one. */
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { createApp } from '../../../shared/http/app.js';
import { createProbes } from '../../../shared/http/edge-handlers.js';
import { listen } from '../../../shared/http/listen.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const [otherAddress] = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

/** fetch does not send a Host of the caller's choice. */
function statusOf(edge: Edge, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${edge.url}/recall`, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end();
  });
}

describe('an API without a token', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({ isLoopbackOnly: true, allowedOrigins: ['*', 'https://viewer.example'] });
  });
  after(() => edge.close());

  it('answers under the names of this machine, with and without a port', async () => {
    for (const host of [
      'localhost',
      'localhost:8001',
      'LOCALHOST:1',
      '127.0.0.1:8001',
      '127.1.2.3',
      '[::1]',
      '[::1]:8001',
    ])
      expect(await statusOf(edge, { host }), host).to.equal(200);
  });

  it('rejects a Host that a page has resolved to this machine', async () => {
    for (const host of [
      'evil.example',
      'evil.example:8001',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.7',
    ])
      expect(await statusOf(edge, { host }), host).to.equal(403);
  });

  it('rejects the pages of other origins, deletions included', async () => {
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'file://', ''])
      for (const method of ['GET', 'DELETE'])
        expect(await statusOf(edge, { origin }, method), `${method} ${origin}`).to.equal(403);
  });

  it('answers pages of this machine and of listed origins', async () => {
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080', 'https://viewer.example']) {
      const response = await edge.get('/recall', { origin });
      expect([origin, response.status, response.headers.get('access-control-allow-origin')]).to.deep.equal([
        origin,
        200,
        origin,
      ]);
    }
    const preflight = await fetch(`${edge.url}/recall`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(null);
  });
});

describe('listening on localhost', () => {
  const open = () =>
    listen(
      createApp({
        handlers: createProbes({}),
        tokens: { api: [], admin: null, internal: null },
        logger: silentLogger,
        ids: randomIds,
        allowedOrigins: ['*'],
        isLoopbackOnly: true,
      }),
      { port: 0, host: 'localhost' },
    );

  it('opens both loopback addresses and no other address', async () => {
    const { port, close } = await open();
    try {
      for (const name of ['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])])
        expect((await fetch(`http://${name}:${port}/livez`)).status, name).to.equal(200);
      if (otherAddress !== undefined) await rejection(fetch(`http://${otherAddress}:${port}/livez`));
    } finally {
      await close(1_000);
    }
  });
});
