/** GET /console/ and GET /docs/: the pages for browsers and their files, without a token. */
import { expect } from 'chai';
import { CONSOLE_FILES, DOCS_FILES } from '../../../shared/contract/graph-views/graph-view-operations.js';
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
