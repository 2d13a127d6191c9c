/**
 * Behind a gateway the two APIs are one service: every method on every path gets the same answer as from one process
 * with all operations.
 */
import { expect } from 'chai';
import type { Operation } from '../../../shared/contract/operation.js';
import { type OperationName, OPERATIONS } from '../../../shared/contract/operations.js';
import { createApp } from '../../../shared/http/app.js';
import type { Handlers } from '../../../shared/http/handler.js';
import { listen, type Listening } from '../../../shared/http/listen.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { type Gateway, GATEWAYS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';

const TOKEN = 'secret';
const INTERNAL_TOKEN = 'between processes';
const ID = '00000000-0000-4000-8000-000000000001';
const STOP_DEADLINE_MS = 1_000;

const operations: readonly (readonly [string, Operation])[] = Object.entries(OPERATIONS);

/** Opens the edge of an API whose handlers answer with the name of the operation. */
function openApi(apis: readonly Operation['servedBy'][]): Promise<Listening> {
  const names = operations.filter(([, { servedBy }]) => apis.includes(servedBy)).map(([name]) => name);
  // All handlers here have the same shape; the type of the table expects different ones.
  const handlers = Object.fromEntries(
    names.map((name) => [name, async () => ({ status: 200, body: { operation: name } })]),
  ) as unknown as Partial<Handlers<OperationName>>;
  const tokens = { api: [{ name: null, token: TOKEN }], admin: null, internal: INTERNAL_TOKEN };
  return listen(
    createApp({
      handlers,
      tokens,
      logger: silentLogger,
      ids: randomIds,
      allowedOrigins: ['https://viewer.example'],
      isLoopbackOnly: false,
    }),
    { port: 0, host: '127.0.0.1' },
  );
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];
const PATHS = [
  ...new Set(
    operations
      // The gateway answers its own liveness.
      .filter(([, { access, path }]) => ['public', 'api', 'admin'].includes(access) && path !== '/livez')
      .map(([, { path }]) => path.replace(':id', ID)),
  ),
  '/',
  '/memory/',
  '/memory/no-id',
  '/memory/a%2Fb',
  `/memory/${ID}/more`,
  '/Memory',
  '/recall/',
  '//recall',
  '/enrichment',
  '/memory/by-tag/x',
  '/unknown',
];

for (const adapter of GATEWAYS) {
  describe(`APIs behind ${adapter.name}${GATEWAYS_NOTE}`, () => {
    let whole: Listening;
    let parts: readonly [Listening, Listening];
    let gateway: Gateway;
    before(async () => {
      whole = await openApi(['command', 'query', 'edge']);
      parts = await Promise.all([openApi(['command', 'edge']), openApi(['query', 'edge'])]);
      const [command, query] = parts.map(({ port }) => [`http://127.0.0.1:${port}`]);
      gateway = await adapter.open({ instances: { command: command ?? [], query: query ?? [] } });
    });
    after(async () => {
      await gateway.close();
      await Promise.all([whole, ...parts].map((server) => server.close(STOP_DEADLINE_MS)));
    });

    async function ask(
      url: string,
      { method, path, headers }: { method: string; path: string; headers: Record<string, string> },
    ) {
      const body = method === 'POST' || method === 'PATCH' ? { body: '{"content":"a"}' } : {};
      const answer = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...body,
      });
      const text = (await answer.text()).replace(/,"request_id":"[^"]*"/u, '');
      return {
        asked: `${method} ${path}`,
        status: answer.status,
        text,
        ...headersOf(answer, ['allow', 'content-type', 'access-control-allow-origin', 'vary']),
      };
    }

    const callers: readonly (readonly [string, Record<string, string>])[] = [
      ['a caller', { authorization: `Bearer ${TOKEN}` }],
      ['a caller without a token', {}],
      ['a browser', { origin: 'https://viewer.example' }],
    ];
    for (const [caller, headers] of callers) {
      it(`answer ${caller} as one process does`, async () => {
        for (const path of PATHS) {
          const askAll = (url: string) => Promise.all(METHODS.map((method) => ask(url, { method, path, headers })));
          expect(await askAll(gateway.url)).to.deep.equal(await askAll(`http://127.0.0.1:${whole.port}`));
        }
      });
    }

    it('close internal operations to every caller', async () => {
      const internal = operations.filter(([, { access }]) => access === 'internal');
      expect(internal).to.not.be.empty;
      for (const [name, { method, path }] of internal) {
        const headers = { authorization: `Bearer ${TOKEN}`, 'x-internal-token': INTERNAL_TOKEN };
        const [command] = parts;
        expect(
          (await ask(`http://127.0.0.1:${command.port}`, { method, path, headers })).status,
          `${name} at the API itself`,
        ).to.not.be.oneOf([401, 403, 404]);
        expect(await ask(gateway.url, { method, path, headers })).to.include({
          status: 404,
          'content-type': 'application/json',
        });
      }
    });
  });
}

function headersOf({ headers }: Response, names: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}
