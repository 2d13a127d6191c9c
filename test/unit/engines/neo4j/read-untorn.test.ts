import { expect } from 'chai';
import type { Row } from '../../../../shared/engines/neo4j/neo4j.js';
import { readUntorn } from '../../../../shared/engines/neo4j/reading/read-memories.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { rejection } from '../../../support/checks/rejection.js';

describe('read untorn', () => {
  /** `replies`: what each read finds, of the subjects that it asks for. */
  async function read(replies: readonly (readonly Row[])[]) {
    const asked: (readonly unknown[])[] = [];
    const rows = await readUntorn<unknown>(['a', 'b'], {
      read: async (keys) => {
        const reply = replies[Math.min(asked.length, replies.length - 1)] ?? [];
        asked.push(keys);
        return reply.filter(({ key }) => keys.includes(key));
      },
      keyOf: ({ key }) => key,
      isWhole: ({ seal }) => seal === 'whole',
      lacksChecksum: ({ seal }) => seal === null,
    });
    return { rows, asked };
  }
  const whole = (key: string, version = 1): Row => ({ key, version, seal: 'whole' });
  const torn = (key: string, version = 1): Row => ({ key, version, seal: 'torn' });
  const withoutChecksum = (key: string): Row => ({ key, version: 1, seal: null });

  it('reads once when every subject is whole', async () => {
    expect(await read([[whole('a'), whole('b')]])).to.deep.equal({
      rows: [whole('a'), whole('b')],
      asked: [['a', 'b']],
    });
  });

  it('reads torn subjects again until they are whole', async () => {
    const { rows, asked } = await read([[whole('a'), torn('b')], [torn('b')], [whole('b', 3)]]);
    expect(rows).to.deep.equal([whole('a'), whole('b', 3)]);
    expect(asked).to.deep.equal([['a', 'b'], ['b'], ['b']]);
  });

  it('accepts a subject without a checksum after two equal reads', async () => {
    expect((await read([[withoutChecksum('a'), whole('b')]])).rows).to.deep.equal([whole('b'), withoutChecksum('a')]);
  });

  it('leaves out a subject that is gone in the second read', async () => {
    expect((await read([[whole('a'), torn('b')], []])).rows).to.deep.equal([whole('a')]);
  });

  it('fails when a subject changes in each of 8 reads', async () => {
    expect(await rejection(read([[torn('a')]]))).to.be.instanceOf(DependencyError);
  });
});
