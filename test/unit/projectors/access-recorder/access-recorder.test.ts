import { expect } from 'chai';
import { type AccessRecorder, createAccessRecorder } from '../../../../projectors/access-recorder/access-recorder.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { createManualEventSource, type ManualEventSource } from '../../../support/fixtures/projector-events.js';

const HOUR_MS = 3_600_000;
const MORNING = '2024-06-01T08:00:00+00:00';
const NOON = '2024-06-01T12:00:00+00:00';

describe('access recorder', () => {
  let source: ManualEventSource;
  let accessed: { readonly ids: readonly string[]; readonly at: string }[];
  let failures: number;
  let recorder: AccessRecorder;

  async function open(waitingLimit?: number): Promise<void> {
    recorder = await createAccessRecorder({
      source,
      logger: silentLogger,
      flushMs: HOUR_MS,
      ...(waitingLimit === undefined ? {} : { waitingLimit }),
      recordAccess: async (ids, at) => {
        if (failures-- > 0) throw new Error('the command side is away');
        accessed.push({ ids, at });
      },
    });
  }

  beforeEach(async () => {
    source = createManualEventSource();
    accessed = [];
    failures = 0;
  });
  afterEach(() => recorder.close());

  const recall = (numbers: readonly number[], at: string) =>
    source.recall([{ kind: 'recalled', ids: numbers.map(memoryId), at }]);

  it('writes recalled memories together, each once, with the latest time', async () => {
    await open();
    await recall([1, 2], NOON);
    await recall([2, 3], MORNING);
    await recorder.settled();
    expect(accessed).to.deep.equal([{ ids: [1, 2, 3].map(memoryId), at: NOON }]);
  });

  it('writes nothing when nothing was recalled', async () => {
    await open();
    await recorder.settled();
    expect(accessed).to.deep.equal([]);
  });

  it('keeps the ids of a failed write for the next one', async () => {
    await open();
    failures = 1;
    await recall([1], NOON);
    expect(
      await recorder.settled().then(
        () => 'resolved',
        (error: unknown) => error,
      ),
    ).to.be.instanceOf(Error);
    await recorder.settled();
    expect(accessed).to.deep.equal([{ ids: [memoryId(1)], at: NOON }]);
  });

  it('writes many ids in calls of bounded size', async () => {
    await open();
    await recall(
      Array.from({ length: 1_001 }, (_, number) => number),
      NOON,
    );
    await recorder.settled();
    expect(accessed.map(({ ids }) => ids.length)).to.deep.equal([500, 500, 1]);
  });

  it('drops ids above its limit', async () => {
    await open(2);
    await recall([1, 2, 3], MORNING);
    await recall([1], NOON);
    await recorder.settled();
    expect(accessed).to.deep.equal([{ ids: [memoryId(1), memoryId(2)], at: NOON }]);
  });

  it('writes the waiting ids when it is closed', async () => {
    await open();
    await recall([1], NOON);
    await recorder.close();
    expect(accessed).to.have.length(1);
  });
});
