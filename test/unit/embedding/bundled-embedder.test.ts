import { expect } from 'chai';
import { createBundledEmbedder } from '../../../shared/embedding/bundled/create-bundled-embedder.js';
import { WAITING_LIMIT } from '../../../shared/embedding/bundled/create-encoder-pool.js';
import type { Embedder } from '../../../shared/embedding/embedder.js';
import { DeadlineError, DependencyError } from '../../../shared/kernel/errors.js';
import { MORTAL_ENCODER_THREAD } from '../../support/embedding.js';

const query = { purpose: 'query' } as const;
const document = { purpose: 'document' } as const;

describe('bundled embedder', () => {
  let embedder: Embedder;
  beforeEach(async () => (embedder = await createBundledEmbedder({ thread: MORTAL_ENCODER_THREAD })));
  afterEach(() => embedder.close());

  it('serves a query before the documents that came earlier', async () => {
    const order: string[] = [];
    const documents = Array.from({ length: 5 }, (_, index) =>
      embedder.embed([`${index}`.repeat(400)], document).then(() => order.push('document')),
    );
    const asked = embedder.embed(['where'], query).then(() => order.push('query'));
    await Promise.all([...documents, asked]);
    expect(order.indexOf('query')).to.be.at.most(1);
  });

  it('rejects what the ended thread was working on and what waits, then works again', async () => {
    const lost = [embedder.embed(['end'], query), embedder.embed(['waits'], document)];
    for (const outcome of await Promise.allSettled(lost)) {
      expect(outcome.status === 'rejected' && outcome.reason)
        .to.be.instanceOf(DependencyError)
        .with.property('dependency', 'embedding');
    }
    await eventually(() => embedder.embed(['again'], query));
  });

  it('refuses a query above the limit of the line instead of letting it grow', async () => {
    const asked = Array.from({ length: WAITING_LIMIT.query + 50 }, (_, index) =>
      embedder.embed([`query ${index}`], query),
    );
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).to.have.length.within(49, 50);
    for (const error of refused) expect(error).to.be.instanceOf(DeadlineError);
  });

  it('gives up a waiting text when its caller does, and one whose caller already has', async () => {
    const controller = new AbortController();
    const busy = embedder.embed(['x'.repeat(400)], document);
    const waiting = embedder.embed(['y'.repeat(400)], { ...document, signal: controller.signal });
    controller.abort();
    await expectRejection(waiting, DeadlineError);
    await expectRejection(embedder.embed(['z'], { ...query, signal: controller.signal }), DeadlineError);
    expect(await busy).to.have.length(1);
  });

  it('rejects what is in hand and what comes later when it is closed', async () => {
    const hanging = embedder.embed(['hang'], query);
    const outcome = expectRejection(hanging, DependencyError);
    await embedder.close();
    await outcome;
    await expectRejection(embedder.embed(['late'], query), DependencyError);
  });
});

async function expectRejection(promise: Promise<unknown>, type: new (...args: never[]) => Error): Promise<void> {
  const outcome = await promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(type);
}

/** Calls until it resolves; mocha's own timeout ends it. */
async function eventually(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const resolved = await call().then(
      () => true,
      () => false,
    );
    if (resolved) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
