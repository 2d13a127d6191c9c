import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createBundledEmbedder } from '../../../../../shared/engines/models/bundled/bundled-embedder.js';
import { BATCH_CHARACTERS, QUEUE_LIMIT } from '../../../../../shared/engines/models/bundled/encoder-pool.js';
import { DeadlineError, DependencyError } from '../../../../../shared/kernel/errors.js';
import type { Embedder } from '../../../../../shared/ports/embedder.js';
import { countedTurns } from '../../../../support/fixtures/counted-turns.js';

const FAILING = new URL('../../../../support/adapters/failing-encoder.js', import.meta.url);
const query = { purpose: 'query' } as const;
const document = { purpose: 'document' } as const;

describe('bundled embedder', () => {
  let embedder: Embedder;
  beforeEach(async () => (embedder = await createBundledEmbedder({ main: FAILING })));
  afterEach(() => embedder.close());

  it('serves a query before documents that were queued earlier', async () => {
    const order: string[] = [];
    const documents = Array.from({ length: 5 }, (_, index) =>
      embedder.embed([`${index}`.repeat(400)], document).then(() => order.push('document')),
    );
    const asked = embedder.embed(['where'], query).then(() => order.push('query'));
    await Promise.all([...documents, asked]);
    expect(order.indexOf('query')).to.be.at.most(1);
  });

  it('serves an urgent document after queries and before other documents', async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const others = Array.from({ length: 5 }, (_, index) =>
      embedder.embed([`${index}`.repeat(400)], document).then(note('document')),
    );
    const urgent = embedder.embed(['alone'], { ...document, isUrgent: true }).then(note('urgent'));
    const asked = embedder.embed(['where'], query).then(note('query'));
    await Promise.all([...others, urgent, asked]);
    expect(order.indexOf('query')).to.be.below(order.indexOf('urgent'));
    expect(order.indexOf('urgent')).to.be.at.most(2);
  });

  it('gives way to the callers of other tenants before each text', async () => {
    const giveWay = countedTurns();
    await embedder.embed(['one', 'two', 'three'], { ...document, giveWay });
    expect(giveWay.turns()).to.equal(3);
  });

  it('serves a short query before the remaining texts of a long one', async () => {
    const order: string[] = [];
    const long = embedder
      .embed(Array<string>(10).fill('a long text '.repeat(300)), query)
      .then(() => order.push('long'));
    const short = embedder.embed(['where'], query).then(() => order.push('short'));
    await Promise.all([long, short]);
    expect(order).to.deep.equal(['short', 'long']);
  });

  for (const [name, options] of [
    ['query', query],
    ['urgent document', { ...document, isUrgent: true }],
  ] as const)
    it(`serves a short ${name} after one long query, however long others waited`, async () => {
      const order: string[] = [];
      const long = Array.from({ length: 200 }, (_, index) =>
        embedder.embed([`${index} `.padEnd(BATCH_CHARACTERS + 1, 'x')], query).then(() => order.push('long')),
      );
      await pause(5); // from here the long ones are due before a text of the length of a batch
      const begun = order.length;
      const short = embedder.embed(['y'.repeat(BATCH_CHARACTERS)], options).then(() => order.push('short'));
      await Promise.all([...long, short]);
      expect(order.indexOf('short') - begun).to.be.at.most(2);
    });

  it('rejects running and waiting texts when its process ends, then recovers', async () => {
    const lost = [embedder.embed(['end'], query), embedder.embed(['waits'], document)];
    for (const outcome of await Promise.allSettled(lost)) {
      expect(outcome.status === 'rejected' && outcome.reason)
        .to.be.instanceOf(DependencyError)
        .with.property('dependency', 'embedding');
    }
    await eventually(() => embedder.embed(['again'], query));
  });

  it('gives a process that was too slow more time after each restart', async () => {
    const impatient = await createBundledEmbedder({ main: FAILING, answerLimitMs: 300 });
    try {
      await eventually(() => impatient.embed(['slow'], query));
    } finally {
      await impatient.close();
    }
  });

  it('rejects a query above the limit of the queue', async () => {
    const asked = Array.from({ length: QUEUE_LIMIT.query + 50 }, (_, index) =>
      embedder.embed([`query ${index}`], query),
    );
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).to.have.length.within(49, 50);
    for (const error of refused) expect(error).to.be.instanceOf(DeadlineError);
  });

  it('drops a text when its caller aborts, before or during the call', async () => {
    const controller = new AbortController();
    const busy = embedder.embed(['x'.repeat(400)], document);
    const waiting = embedder.embed(['y'.repeat(400)], { ...document, signal: controller.signal });
    controller.abort();
    await expectRejection(waiting, DeadlineError);
    await expectRejection(embedder.embed(['z'], { ...query, signal: controller.signal }), DeadlineError);
    expect(await busy).to.have.length(1);
  });

  it('rejects running and later calls when it is closed', async () => {
    const hanging = embedder.embed(['hang'], query);
    const outcome = expectRejection(hanging, DependencyError);
    await embedder.close();
    await outcome;
    await expectRejection(embedder.embed(['late'], query), DependencyError);
  });
});

describe('three bundled encoders', () => {
  let embedder: Embedder;
  beforeEach(async () => (embedder = await createBundledEmbedder({ main: FAILING, workers: 3 })));
  afterEach(() => embedder.close());

  /** Two batches of one text each. */
  const textsOf = (call: number) => [BATCH_CHARACTERS + call, call].map((length) => 'x'.repeat(length));
  const embedTexts = async (call: number) =>
    (await embedder.embed(textsOf(call), call % 2 === 0 ? query : document)).map(([one, two]) =>
      Math.round((two ?? 0) / (one ?? 0)),
    );
  const CALLS = Array.from({ length: 16 }, (_, index) => index + 1);
  const EXPECTED = CALLS.map((call) => textsOf(call).map(({ length }) => length));

  it('answers each of 16 concurrent calls with its own vectors', async () => {
    expect(await Promise.all(CALLS.map(embedTexts))).to.deep.equal(EXPECTED);
  });

  it('answers calls while two processes hang', async () => {
    const hanging = [1, 2].map(() => expectRejection(embedder.embed(['hang'], query), DependencyError));
    expect(await Promise.all(CALLS.map(embedTexts))).to.deep.equal(EXPECTED);
    await embedder.close();
    await Promise.all(hanging);
  });

  it('loses only the call whose process ends', async () => {
    for (const round of ['first', 'again']) {
      const lost = expectRejection(embedder.embed(['end'], query), DependencyError);
      expect(await Promise.all(CALLS.map(embedTexts)), round).to.deep.equal(EXPECTED);
      await lost;
    }
  });
});

describe('bundled embedder with its own process', () => {
  it('makes equal vectors of 16 texts at once and alone', async () => {
    const embedder = await createBundledEmbedder({ workers: 3 });
    try {
      const texts = Array.from({ length: 16 }, (_, index) => `Ferry ${index} leaves at noon`);
      const together = await Promise.all(texts.map((text) => embedder.embed([text], document)));
      expect(new Set(together.map(String))).to.have.length(16);
      for (const [index, text] of texts.entries())
        expect(await embedder.embed([text], document)).to.deep.equal(together[index]);
    } finally {
      await embedder.close();
    }
  });

  it('can be closed in the middle of a text', async () => {
    const embedder = await createBundledEmbedder();
    await embedder.embed(['warm'], query);
    const outcome = expectRejection(embedder.embed(['word '.repeat(800)], document), DependencyError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await embedder.close();
    await outcome;
  });
});

describe('the module of the bundled embedder', () => {
  it('loads no native runtime and takes over no signal', async () => {
    const module = new URL('../../../../../shared/engines/models/bundled/bundled-embedder.js', import.meta.url).href;
    const script = `await import('${module}');
      const { sharedObjects } = process.report.getReport();
      const runtimes = sharedObjects.filter((path) => path.includes('onnxruntime')).length;
      console.log(JSON.stringify([runtimes, process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    expect(JSON.parse(stdout)).to.deep.equal([0, 0, 0]);
  });
});

async function expectRejection(promise: Promise<unknown>, type: new (...args: never[]) => Error): Promise<void> {
  const outcome = await promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(type);
}

/** Repeats the call until it resolves; the timeout of mocha limits it. */
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
