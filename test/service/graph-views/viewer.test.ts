/** GET /viewer/: leads to the configured viewer, and to no other address. */
import { connect } from 'node:net';
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const BASE = 'https://viewer.example.org/graph';

describe('GET /viewer/', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { GRAPH_VIEWER_URL: `${BASE}/`, SERVICE_API_TOKEN: 'secret' } });
  });
  after(() => service.close());

  /**
   * Sends the path as it is, which `fetch` would normalise. Does not end its side: Node drops the answer to a request
   * whose connection the client has half closed.
   */
  function raw(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('end', () => resolve(text)).on('error', reject);
    });
  }
  const locationOf = (answer: string) => /^location: (.*)\r$/imu.exec(answer)?.[1];

  it('answers a page for the browser, without a token and under a strict policy', async () => {
    const answer = await fetch(`${service.url}/viewer/?a=1`);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page).to.contain(`data-target="${BASE}"`);
    expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'; script-src 'sha256-[^']+';/u);
    expect(await raw('/viewer/memory/12?a=1')).to.contain(`data-target="${BASE}/memory/12"`);
  });

  it('redirects files with their query', async () => {
    expect(locationOf(await raw('/viewer/assets/app?v=1&x=%20'))).to.equal(`${BASE}/assets/app?v=1&x=%20`);
    expect(locationOf(await raw('/viewer/deep/icon.SVG'))).to.equal(`${BASE}/deep/icon.SVG`);
    const answer = await raw('/viewer?api_key=k&b=2');
    expect([answer.slice(9, 12), locationOf(answer)]).to.deep.equal(['308', '/viewer/?api_key=k&b=2']);
  });

  it('leaves the viewer by no path', async () => {
    for (const path of [
      '//evil.example/app.js',
      '/%2F%2Fevil.example/app.js',
      '/https://evil.example/app.js',
      '/\\\\evil.example/app.js',
      '/%5C%5Cevil.example/app.js',
      '/@evil.example/app.js',
      '/%0D%0ASet-Cookie:%20a=1/app.js',
      '/%0d%0a%0d%0a<script>/app.js',
      '/app.js?next=//evil.example%0d%0aSet-Cookie:%20a=1',
      '/%ff%fe/app.js',
      '/%zz/app.js',
      `/${'x'.repeat(5_000)}/app.js`,
    ]) {
      const answer = await raw(`/viewer${path}`);
      const name = path.slice(0, 40);
      expect(answer.slice(9, 12), name).to.equal('302');
      expect(locationOf(answer)?.startsWith(`${BASE}/`), name).to.equal(true);
      expect(/^set-cookie/imu.test(answer), name).to.equal(false);
    }
  });

  it('answers 404 to a path with dots, in any spelling', async () => {
    for (const path of ['/../../app.js', '/%2e%2e/app.js', '/a/%2E./app.js', '/a%2f..%2fapp.js', '/..'])
      expect((await raw(`/viewer${path}`)).slice(9, 12), path).to.equal('404');
  });

  it('writes no markup of a path into its page', async () => {
    const page = await raw('/viewer/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(page).to.contain(`data-target="${BASE}/%22%3E%3Cscript%3Ealert(1)%3C/script%3E"`);
    expect(page).to.not.contain('<script>alert');
  });
});

describe('GET /viewer/ without a viewer', () => {
  it('leads to the console', async () => {
    const service = await startService();
    const answer = await fetch(`${service.url}/viewer/memory/12`, { redirect: 'manual' });
    await answer.text();
    await service.close();
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/console/']);
  });

  it('answers 503 in plain text while the console is off', async () => {
    const service = await startService({ variables: { CONSOLE_ENABLED: 'false' } });
    const answer = await service.request('GET', '/viewer/');
    await service.close();
    expect([answer.status, answer.body, answer.headers.get('content-type')]).to.deep.equal([
      503,
      'Graph Viewer URL is not configured. Set GRAPH_VIEWER_URL.',
      'text/plain; charset=utf-8',
    ]);
  });

  it('answers 404 when it is switched off', async () => {
    const service = await startService({ variables: { ENABLE_GRAPH_VIEWER: 'false', GRAPH_VIEWER_URL: BASE } });
    const statuses = [];
    for (const path of ['/viewer', '/viewer/', '/viewer/assets/app.js'])
      statuses.push((await service.request('GET', path)).status);
    await service.close();
    expect(statuses).to.deep.equal([404, 404, 404]);
  });

  it('refuses an address that is no http address', async () => {
    for (const url of [
      'viewer',
      'javascript:alert(1)',
      'https://a:b@viewer.example.org',
      'https://viewer.example.org?x=1',
    ]) {
      const outcome = await startService({ variables: { GRAPH_VIEWER_URL: url } }).catch((error: unknown) => error);
      expect(String(outcome), url).to.contain('GRAPH_VIEWER_URL must be an http or https address');
    }
  });
});
