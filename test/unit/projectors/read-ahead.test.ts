/** Memories that were written alone go ahead of a backlog, a few of each caller. */
import { expect } from 'chai';
import { AHEAD_OF_CALLER, createReadAhead } from '../../../projectors/read-ahead.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../../support/checks/until.js';
import { stored } from '../../support/fixtures/projector-events.js';

const BACKLOG_ENDS_AT = 10;

describe('read ahead of a backlog', () => {
  const event = (position: number, caller: string, correlationId = `request ${position}`): RecordedEvent => {
    const plain = stored(position);
    return { ...plain, position, correlationId, actor: { ...plain.actor, name: caller } };
  };
  const from = (first: number, count: number, caller: string): readonly RecordedEvent[] =>
    Array.from({ length: count }, (_, index) => event(first + index, caller));

  /** The positions that go ahead, until the one of `last` did. */
  async function positionsAhead(events: readonly RecordedEvent[], last: number): Promise<readonly number[]> {
    const handled: number[] = [];
    const journal = {
      read: async ({ after, limit }: { readonly after: number; readonly limit: number }) =>
        events.filter(({ position }) => position > after).slice(0, limit),
    };
    await createReadAhead({ journal, logger: silentLogger })({
      after: BACKLOG_ENDS_AT,
      handle: async (ahead) => void handled.push(...ahead.map(({ position }) => position)),
      backlog: async () => {
        await until('the last one went ahead', async () => handled.includes(last));
      },
    });
    return handled;
  }

  it('takes what was written alone, and leaves batches to their turn', async () => {
    const batch = [event(11, 'a', 'a batch'), event(12, 'a', 'a batch')];
    expect(await positionsAhead([...batch, event(13, 'a'), event(14, 'b')], 14)).to.deep.equal([13, 14]);
  });

  it('passes over a caller who writes much, and takes the next one', async () => {
    const flood = from(11, 200, 'a');
    expect(await positionsAhead([...flood, event(211, 'b')], 211)).to.deep.equal([211]);
  });

  it('takes a few of each caller', async () => {
    const [a, b] = [from(11, AHEAD_OF_CALLER, 'a'), from(40, AHEAD_OF_CALLER + 1, 'b')];
    expect(await positionsAhead([...a, ...b, event(90, 'c')], 90)).to.deep.equal([
      ...a.map(({ position }) => position),
      90,
    ]);
  });
});
