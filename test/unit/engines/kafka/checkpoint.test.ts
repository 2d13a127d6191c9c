import { expect } from 'chai';
import { checkpointMetadata, readCheckpoint } from '../../../../shared/engines/kafka/checkpoint.js';

describe('a Kafka checkpoint', () => {
  it('reads the committed offset, position and completeness', () => {
    expect(
      readCheckpoint('7', checkpointMetadata({ position: 9, generation: 3, isComplete: true }, null), null),
    ).to.deep.equal({
      offset: 7n,
      position: 9,
      generation: 3,
      isComplete: true,
    });
    expect(readCheckpoint('-1', null, null)).to.equal(null);
  });

  it('belongs to the first generation when an earlier release committed it', () => {
    expect(readCheckpoint('7', '{"position":9,"isComplete":true}', 'now')).to.deep.include({
      position: 9,
      generation: 1,
    });
  });

  it('gets position 0 and is incomplete when another program committed it', () => {
    for (const metadata of [null, '', 'reset by hand', '7', '{"position":-1,"isComplete":true}']) {
      expect(readCheckpoint('7', metadata, null)).to.deep.equal({
        offset: 7n,
        position: 0,
        generation: 1,
        isComplete: false,
      });
    }
  });

  it('of another history counts as one at position 0', () => {
    const metadata = checkpointMetadata({ position: 9, generation: 3, isComplete: true }, 'before');
    expect(readCheckpoint('7', metadata, 'before')).to.include({ position: 9, isComplete: true });
    expect(readCheckpoint('7', metadata, 'now')).to.deep.equal({
      offset: 7n,
      position: 0,
      generation: 3,
      isComplete: false,
    });
  });
});
