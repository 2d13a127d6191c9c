/** An answer that is written piece by piece: when it leaves, what its handler learns of its reader, and how it ends. */
import { expect } from 'chai';
import type { ReplySink } from '../../shared/http/handler.js';
import { openEdge, type Edge } from '../support/edge.js';
import { openStream } from '../support/event-stream.js';
import { until } from '../support/until.js';

const PATIENCE_MS = 10_000;

describe('a streamed answer', () => {
  let edge: Edge | undefined;
  afterEach(() => edge?.close());

  async function open(stream: (sink: ReplySink) => Promise<void>): Promise<string> {
    edge = await openEdge({
      handlers: {
        stream: async () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: null, stream }),
      },
    });
    return edge.url;
  }

  it('has begun before anything is written', async () => {
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

  it('ends with its handler, and with a handler that fails', async () => {
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

  it('learns that its reader has gone', async () => {
    const outcomes: string[] = [];
    const url = await open(async (sink) => {
      await sink.write('a', PATIENCE_MS);
      await until('the reader has gone', () => sink.gone.aborted);
      outcomes.push(await sink.write('b', PATIENCE_MS));
    });
    (await openStream(url)).destroy();
    await until('it is told', () => outcomes.length > 0);
    expect(outcomes).to.deep.equal(['gone']);
  });

  it('waits for room, and learns that none is made', async () => {
    const outcomes: string[] = [];
    const url = await open(async (sink) => {
      while (outcomes.at(-1) !== 'stalled') outcomes.push(await sink.write('x'.repeat(1_000_000), 100));
    });
    const slow = await openStream(url);
    await until('no room is made', () => outcomes.at(-1) === 'stalled');
    expect(outcomes.length, 'what systems hold for a connection').to.be.below(50);
    expect(outcomes.slice(0, -1).every((outcome) => outcome === 'taken')).to.equal(true);
    slow.destroy();
  });

  it('is told that the server stops, which waits for its last words', async () => {
    const url = await open(async (sink) => {
      await until('the server stops', () => sink.stopping.aborted);
      await sink.write('good bye', PATIENCE_MS);
    });
    const answer = await fetch(`${url}/stream`);
    await Promise.all([edge?.close(), answer.text().then((text) => expect(text).to.equal('good bye'))]);
    edge = undefined;
  });
});
