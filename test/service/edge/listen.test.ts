import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
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

  it('begins the requests of one connection one after the other', async () => {
    const REQUESTS = 100;
    let [running, most] = [0, 0];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      response.end(`<${request.url}${Buffer.concat(parts).toString()}`);
    };
    const server = await listen(
      {
        callback:
          () =>
          (...one) =>
            void answer(...one),
      },
      { port: 0, host: '127.0.0.1' },
    );
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(server.port, '127.0.0.1');
      socket.on('data', (part: Buffer) => (text += part.toString())).once('close', () => resolve(text));
      for (let number = 1; number <= REQUESTS; number += 1) {
        const last = number === REQUESTS ? 'Connection: close\r\n' : '';
        socket.write(`POST /${number} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n${last}\r\n ${number % 10}`);
      }
    });
    const expected = Array.from({ length: REQUESTS }, (_, at) => `/${at + 1} ${(at + 1) % 10}`);
    expect([most, received.match(/\/\d+ \d/gu)]).to.deep.equal([1, expected]);
    await server.close(1_000);
  });

  it('begins no further request of a connection that is closed', async () => {
    let begun = 0;
    const closed = new Promise<void>((resolve) => {
      const callback = () => (request: IncomingMessage) => {
        begun += 1;
        request.socket.once('close', () => setImmediate(resolve)).destroy();
      };
      void listen({ callback }, { port: 0, host: '127.0.0.1' }).then(({ port, close }) => {
        connect(port, '127.0.0.1')
          .on('error', () => undefined)
          .write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5));
        void closed.then(() => close(1_000));
      });
    });
    await closed;
    expect(begun).to.equal(1);
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
