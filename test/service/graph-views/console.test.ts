/** GET /console/ and GET /docs/: the pages for browsers and their files, without a token. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CONSOLE_FILES, DOCS_FILES } from '../../../shared/contract/graph-views/graph-view-operations.js';
import { ALL_FRONTS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /console/', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { SERVICE_API_TOKEN: 'secret' } });
  });
  after(() => service.close());
  const get = async (path: string, sent: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}${path}`, { headers: sent, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it('leads to the page under a path that ends with a slash', async () => {
    for (const site of ['console', 'docs']) {
      const answer = await get(`/${site}`);
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([308, `${site}/`]);
    }
  });

  for (const [site, files, pictures] of [
    ['console', CONSOLE_FILES, "'self'"],
    ['docs', DOCS_FILES, "'self' data:"],
  ] as const) {
    it(`serves each file of /${site}/ under a policy that allows only the service`, async () => {
      const types = [];
      for (const name of ['', ...files]) {
        const answer = await get(`/${site}/${name}`);
        expect([answer.status, answer.text.length > 100]).to.deep.equal([200, true]);
        expect(answer.headers.get('content-security-policy')).to.equal(
          `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${pictures}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        );
        types.push(answer.headers.get('content-type')?.split(';')[0]);
      }
      const scripts = files.filter((name) => name.endsWith('.js')).map(() => 'text/javascript');
      expect(types).to.deep.equal(['text/html', 'text/html', ...scripts, 'text/css', 'image/svg+xml']);
    });
  }

  it('sends a file again only when it changed', async () => {
    const first = await get('/console/console.js');
    const again = await get('/console/console.js', { 'If-None-Match': first.headers.get('etag') ?? '' });
    expect([first.status, again.status, again.text.length]).to.deep.equal([200, 304, 0]);
  });

  it('answers 404 to every other path', async () => {
    for (const path of ['bundle.js', 'console.js/', '../package.json', '%2e%2e/main.js', 'constructor', 'a/b'])
      expect((await get(`/console/${path}`)).status, path).to.be.oneOf([401, 404]);
  });

  it('is switched off by CONSOLE_ENABLED=false', async () => {
    const off = await startService({ variables: { CONSOLE_ENABLED: 'false' } });
    const statuses = [];
    for (const path of ['/console', '/console/', '/console/console.js', '/docs', '/docs/', '/docs/docs.js'])
      statuses.push((await off.request('GET', path)).status);
    await off.close();
    expect(statuses).to.deep.equal([404, 404, 404, 404, 404, 404]);
  });
});

describe(`compressed files${GATEWAYS_NOTE}`, () => {
  const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes } as const;
  const NAMES = Object.keys(DECODERS) as (keyof typeof DECODERS)[];
  /** None of these contains a secret. */
  const PATHS = [
    ...CONSOLE_FILES.map((file) => `/console/${file}`),
    ...DOCS_FILES.map((file) => `/docs/${file}`),
    '/console/',
    '/docs/',
    '/openapi.json',
  ];
  let service: Service;
  let urls: readonly string[] = [];
  const closings: (() => Promise<void>)[] = [];
  before(async () => {
    service = await startService({ variables: { SERVICE_API_TOKEN: 'secret' } });
    closings.push(service.close);
    const fronts = await Promise.all(ALL_FRONTS.map(({ open }) => open(service.url)));
    closings.push(...fronts.map(({ close }) => close));
    urls = fronts.map(({ url }) => url);
  });
  after(async () => {
    for (const close of closings.reverse()) await close();
  });

  /** As the bytes are sent: `fetch` decodes them. */
  async function send(
    url: string,
    accepted: string | null,
    { method = 'GET', ...headers }: Record<string, string> = {},
  ) {
    const outgoing = request(url, {
      method,
      headers: { ...(accepted !== null && { 'accept-encoding': accepted }), ...headers },
    }).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode, headers: incoming.headers, bytes: await buffer(incoming) };
  }

  for (const [index, { name }] of ALL_FRONTS.entries()) {
    it(`decode to the same text in each coding, ${name}`, async () => {
      for (const path of PATHS) {
        const url = `${urls[index]}${path}`;
        const plain = await send(url, null);
        expect(plain.headers['content-encoding'], path).to.equal(undefined);
        const etags = [];
        for (const coding of NAMES) {
          const { status, headers, bytes } = await send(url, coding);
          expect([status, headers['content-encoding'] ?? 'identity', headers.vary], path).to.deep.equal([
            200,
            coding,
            'Accept-Encoding',
          ]);
          expect(headers['content-type'], path).to.equal(plain.headers['content-type']);
          expect(headers['content-length'], path).to.equal(String(bytes.length));
          expect(DECODERS[coding](bytes).equals(plain.bytes), path).to.equal(true);
          if (coding !== 'identity' && plain.bytes.length > 1_000)
            expect(bytes.length, path).to.be.below(plain.bytes.length / 2);
          etags.push(headers.etag);
        }
        if (path !== '/openapi.json') expect(new Set(etags).size, path).to.equal(NAMES.length);
      }
    });

    it(`answer HEAD and If-None-Match as each coding has it, ${name}`, async () => {
      const url = `${urls[index]}/console/console.js`;
      const plain = await send(url, null);
      for (const coding of NAMES) {
        const sent = await send(url, coding);
        const head = await send(url, coding, { method: 'HEAD' });
        expect(head.bytes.length).to.equal(0);
        for (const each of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type'])
          expect(head.headers[each], `${coding} ${each}`).to.equal(sent.headers[each]);
        const tag = sent.headers.etag ?? '';
        for (const asked of [tag, `W/${tag}`]) {
          const again = await send(url, coding, { 'If-None-Match': asked });
          expect([again.status, again.bytes.length, again.headers['content-encoding']]).to.deep.equal([
            304,
            0,
            undefined,
          ]);
          expect([again.headers.etag, again.headers.vary]).to.deep.equal([tag, 'Accept-Encoding']);
        }
        const other = await send(url, coding, {
          'If-None-Match': coding === 'identity' ? `${tag}x` : (plain.headers.etag ?? ''),
        });
        expect(other.status, coding).to.equal(200);
      }
    });

    it(`follow the weights of Accept-Encoding, ${name}`, async () => {
      const url = `${urls[index]}/console/console.js`;
      for (const [accepted, coding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip, deflate', 'gzip'],
        ['br;q=0, gzip;q=0.1', 'gzip'],
        ['*', 'br'],
        ['identity;q=0', undefined],
        ['zstd', undefined],
        ['', undefined],
        [';;q=,', undefined],
      ] as const)
        expect((await send(url, accepted)).headers['content-encoding'], accepted).to.equal(coding);
    });

    it(`are no answers with memories, whose length would betray their text, ${name}`, async () => {
      const authorization = 'Bearer secret';
      const body = { content: 'A secret of a memory. '.repeat(90), tags: ['long'] };
      await service.request('POST', '/memory', { headers: { authorization }, body });
      for (const path of ['/memories', '/memory/by-tag?tags=long', '/recall?query=secret', '/graph/snapshot']) {
        const answer = await send(`${urls[index]}${path}`, 'gzip, br', { authorization });
        expect([answer.status, answer.headers['content-encoding']], path).to.deep.equal([200, undefined]);
        expect(answer.bytes.length, path).to.be.above(body.content.length);
      }
    });
  }
});
