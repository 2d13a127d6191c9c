import { createServer, request as httpRequest } from 'node:http';
import { expect } from 'chai';
import type { RequestContext } from '../../../shared/http/handler.js';
import { listen } from '../../../shared/http/listen.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { rejection } from '../../support/checks/rejection.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

/** An edge whose status of the stream reports the arrival of a request and answers when the test allows it. */
async function openWaitingEdge(): Promise<{
  readonly edge: Edge;
  readonly asked: Promise<RequestContext>;
  readonly answer: () => void;
}> {
  let answer = (): void => undefined;
  let ask = (_context: RequestContext): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = new Promise<RequestContext>((resolve) => {
    ask = resolve;
  });
  const edge = await openEdge({
    handlers: {
      streamStatus: async ({ context }) => {
        ask(context);
        await answered;
        return { status: 200, body: { subscribers: 0, instance: 'edge' } };
      },
    },
  });
  return { edge, asked, answer };
}

describe('listen', () => {
  it('finishes the running requests before it closes', async () => {
    const { edge, asked, answer } = await openWaitingEdge();
    const response = edge.get('/stream/status');
    await asked;
    const closed = edge.close();
    answer();
    expect((await response).status).to.equal(200);
    await closed;
    await rejection(edge.get('/stream/status'));
  });

  it('cuts the remaining connections at the deadline', async () => {
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const server = await listen({ callback: () => () => ask() }, { port: 0, host: '127.0.0.1' });
    const cutOff = rejection(fetch(`http://127.0.0.1:${server.port}`));
    await asked;
    await server.close(50);
    expect(String(await cutOff)).to.include('fetch failed');
  });

  it('aborts the signal of a request when its client disconnects', async () => {
    const { edge, asked, answer } = await openWaitingEdge();
    const request = httpRequest(`${edge.url}/stream/status`)
      .on('error', () => undefined)
      .end();
    const { signal } = await asked;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    request.destroy();
    await aborted;
    answer();
    await edge.close();
  });

  it('accepts IPv4 and IPv6', async () => {
    const server = await listen({ callback: () => (_, response) => void response.end('here') }, { port: 0 });
    expect(await (await fetch(`http://127.0.0.1:${server.port}`)).text()).to.equal('here');
    await server.close(1_000);
  });

  it('names the solution for a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const error = await rejection(listen({ callback: () => () => undefined }, { port, host: '127.0.0.1' }));
    await new Promise((resolve) => other.close(resolve));
    expect(error).to.be.instanceOf(ConfigurationError);
    expect(String(error)).to.include(`PORT ${port} is in use by another process: stop it, or set PORT to a free one`);
  });
});
