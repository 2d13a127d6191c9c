/** A streamed response: when it is sent, what its handler learns about the client, and how it ends. */
import { expect } from 'chai';
import type { ReplySink } from '../../../shared/http/handler.js';
import { until } from '../../support/checks/until.js';
import { openStream } from '../../support/clients/event-stream.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const PATIENCE_MS = 10_000;

describe('streamed response', () => {
  let edge: Edge | undefined;
  afterEach(() => edge?.close());

  async function open(stream: (sink: ReplySink) => Promise<void>): Promise<string> {
    edge = await openEdge({
      handlers: {
        stream: async () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, stream }),
      },
    });
    return edge.url;
  }

  it('sends its headers before the first text', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await open(async (sink) => {
      await released;
      await sink.write('late', PATIENCE_MS);
    });
    const answer = await fetch(`${url}/stream`);
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'text/event-stream']);
    expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/u);
    release();
    expect(await answer.text()).to.equal('late');
  });

  it('ends when its handler ends or fails', async () => {
    for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('broken'))]) {
      const url = await open(async (sink) => {
        await sink.write('a', PATIENCE_MS);
        await sink.write('b', PATIENCE_MS);
        await end();
      });
      expect(await (await fetch(`${url}/stream`)).text()).to.equal('ab');
      await edge?.close();
    }
    edge = undefined;
  });

  it('reports a client that disconnects', async () => {
    const outcomes: string[] = [];
    const url = await open(async (sink) => {
      await sink.write('a', PATIENCE_MS);
      await until('the client has disconnected', () => sink.gone.aborted);
      outcomes.push(await sink.write('b', PATIENCE_MS));
    });
    (await openStream(url)).destroy();
    await until('the handler is informed', () => outcomes.length > 0);
    expect(outcomes).to.deep.equal(['gone']);
  });

  it('waits for the client to read, and reports a stalled client', async () => {
    const outcomes: string[] = [];
    const url = await open(async (sink) => {
      while (outcomes.at(-1) !== 'stalled') outcomes.push(await sink.write('x'.repeat(1_000_000), 100));
    });
    const slow = await openStream(url);
    await until('the client is stalled', () => outcomes.at(-1) === 'stalled');
    expect(outcomes.length, 'what systems hold for a connection').to.be.below(50);
    expect(outcomes.slice(0, -1).every((outcome) => outcome === 'taken')).to.equal(true);
    slow.destroy();
  });

  it('reports that the server stops, and the server waits for the last text', async () => {
    const url = await open(async (sink) => {
      await until('the server stops', () => sink.stopping.aborted);
      await sink.write('good bye', PATIENCE_MS);
    });
    const answer = await fetch(`${url}/stream`);
    await Promise.all([edge?.close(), answer.text().then((text) => expect(text).to.equal('good bye'))]);
    edge = undefined;
  });
});
