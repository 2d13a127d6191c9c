import { serialize } from 'node:v8';
import { expect } from 'chai';
import { slimCommand, wholeCommand } from '../../../../../shared/engines/sqlite/commit/slim-command.js';
import { command, prepared } from '../../../../support/adapters/committers.js';
import { associated, deleted, stored } from '../../../../support/fixtures/events.js';

describe('the form of a command for the writer thread', () => {
  it('becomes the same command again', async () => {
    const whole = prepared(command([stored(1, { metadata: { a: [1, null, { b: 'c' }] } }), associated(1, 2)]));
    expect(wholeCommand(await slimCommand(whole))).to.deep.equal(whole);
    expect(wholeCommand(await slimCommand(prepared(command([deleted(1, 2)]))))).to.have.nested.property(
      'events[0].data',
    );
  });

  it('has long texts in shared memory', async () => {
    const text = 'word \u{1f600} \ud800 '.repeat(100_000);
    const long = prepared(command([stored(1, { metadata: { text } }), associated(1, 2), stored(2)]));
    const slim = await slimCommand(long);
    expect(slim.dataTexts).to.have.property('bytes').that.is.instanceOf(SharedArrayBuffer);
    expect(wholeCommand(slim)).to.deep.equal(long);
  });

  it('has the data of each event once', async () => {
    const large = prepared(command([stored(1, { metadata: { text: 'x'.repeat(60_000) } })]));
    expect(serialize(large).length).to.be.above(120_000);
    expect(serialize(await slimCommand(large)).length).to.be.below(65_000);
  });
});
