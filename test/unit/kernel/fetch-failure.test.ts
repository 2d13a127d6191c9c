import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { failureClause, type FetchFailure, fetchFailure } from '../../../shared/kernel/fetch-failure.js';
import { rejection } from '../../support/checks/rejection.js';

/** The rejection of a request to a server that treats each connection in this way. */
async function failureOf(treat: (socket: Socket) => void, scheme = 'http'): Promise<FetchFailure> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // the client may end it first
    socket.once('data', () => treat(socket));
  });
  const url = await new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      resolve(`${scheme}://127.0.0.1:${port}/`);
    });
  });
  try {
    return fetchFailure(await rejection(fetch(url).then((response) => response.text())));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function failed(message: string, code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

describe('fetchFailure', () => {
  it('is unreachable only when no connection was made', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    await new Promise((resolve) => server.close(resolve));
    const refused = fetchFailure(await rejection(fetch(`http://127.0.0.1:${port}/`)));
    expect(refused).to.include({ kind: 'unreachable', code: 'ECONNREFUSED' });
    expect(fetchFailure(failed('getaddrinfo ENOTFOUND x', 'ENOTFOUND')).kind).to.equal('unreachable');
  });

  it('is lost when the server closes the connection, before or in its answer', async () => {
    const reset = await failureOf((socket) => socket.resetAndDestroy());
    const before = await failureOf((socket) => socket.destroy());
    const within = await failureOf((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'));
    expect([reset, before, within].map(({ kind }) => kind)).to.deep.equal(['lost', 'lost', 'lost']);
  });

  it('is a failure of TLS for a server without TLS, or with a refused certificate', async () => {
    expect(await failureOf((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https')).to.include({
      kind: 'tls',
    });
    for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])
      expect(fetchFailure(failed('refused', code)).kind, code).to.equal('tls');
  });

  it('is a timeout for the timeouts of the system and of the HTTP client', () => {
    for (const code of ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'])
      expect(fetchFailure(failed('late', code)).kind, code).to.equal('timeout');
  });

  it('names the cause of any other failure', async () => {
    expect(await failureOf((socket) => socket.end('hello\r\n\r\n'))).to.include({ kind: 'other' });
    expect(fetchFailure(failed('invalid onError method', 'UND_ERR_INVALID_ARG'))).to.deep.equal({
      kind: 'other',
      code: 'UND_ERR_INVALID_ARG',
      message: 'invalid onError method',
    });
    expect(fetchFailure(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }))).to.deep.equal({
      kind: 'other',
      code: '',
      message: 'unexpected redirect',
    });
    expect(fetchFailure('odd').message).to.equal('odd');
  });

  it('is one clause: only an unreachable server cannot be reached', () => {
    expect(failureClause(failed('', 'ECONNREFUSED'))).to.equal('cannot be reached (ECONNREFUSED)');
    expect(failureClause(failed('read ECONNRESET', 'ECONNRESET'))).to.equal('did not answer (read ECONNRESET)');
    expect(failureClause(failed('late', 'ETIMEDOUT'))).to.equal('did not answer in time');
  });
});
