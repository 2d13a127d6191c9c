import { expect } from 'chai';
import {
  ImportStopped,
  type LeftOut,
  sendRecords,
  type SourceRecord,
} from '../../../../deploy/commands/import/send-records.js';
import type { Client, ClientAnswer } from '../../../../shared/client/client.js';

type Body = { readonly memories: readonly { readonly id: number }[] };

function answered(stored: number, refused: readonly { index: number; reason: string }[] = []): ClientAnswer {
  const body = { memories: { stored, existing: 0, refused } };
  return { kind: 'answered', status: 200, headers: new Headers(), body };
}

function refusal(status: number): ClientAnswer {
  return { kind: 'refused', status, message: `refused with ${status}`, field: null };
}

describe('sendRecords', () => {
  let leftOut: LeftOut[];
  let produced: number;

  beforeEach(() => {
    leftOut = [];
    produced = 0;
  });

  async function* records(count: number, content = ''): AsyncGenerator<SourceRecord> {
    for (; produced < count; produced += 1)
      yield await Promise.resolve({ where: `node ${produced}`, item: { id: produced, content } });
  }

  function send(
    source: AsyncIterable<SourceRecord | LeftOut>,
    answer: (body: Body) => Promise<ClientAnswer> | ClientAnswer,
  ) {
    const client: Client = { call: (_, { body }) => Promise.resolve(answer(body as unknown as Body)) };
    return sendRecords(source, {
      part: 'memories',
      client,
      batchSize: 100,
      concurrency: 4,
      onLeftOut: (record) => leftOut.push(record),
      onProgress: () => undefined,
    });
  }

  it('keeps at most the batches that are being sent, of 20,000 records', async () => {
    let finished = 0;
    let most = 0;
    const sent = await send(records(20_000), async ({ memories }) => {
      most = Math.max(most, produced - finished);
      await Promise.resolve();
      finished += memories.length;
      return answered(memories.length);
    });

    expect(sent).to.deep.equal({ stored: 20_000, existing: 0, leftOut: 0 });
    expect(most).to.be.within(100, 600);
  });

  it('splits batches above 8 MiB', async () => {
    const sizes: number[] = [];
    await send(records(5, 'x'.repeat(3 * 1024 * 1024)), ({ memories }) => {
      sizes.push(memories.length);
      return answered(memories.length);
    });

    expect(sizes).to.have.members([2, 2, 1]);
  });

  it('finds the record that makes a request too large, and names refused records', async () => {
    const sent = await send(records(10), ({ memories }) => {
      if (memories.some(({ id }) => id === 3)) return refusal(413);
      const index = memories.findIndex(({ id }) => id === 7);
      return index === -1 ? answered(memories.length) : answered(memories.length - 1, [{ index, reason: 'bad' }]);
    });

    expect(sent).to.deep.equal({ stored: 8, existing: 0, leftOut: 2 });
    expect(leftOut).to.have.deep.members([
      { where: 'node 3', reason: 'refused with 413' },
      { where: 'node 7', reason: 'bad' },
    ]);
  });

  it('stops at the first request that fails for another reason', async () => {
    const thrown: unknown = await send(records(20_000), () => refusal(401)).catch((error: unknown) => error);

    expect(thrown).to.be.instanceOf(ImportStopped);
    expect(produced).to.be.below(1_000);
  });
});
