import { expect } from 'chai';
import { activityFrame, comment, eventFrame, withId } from '../../../../query-api/live-stream/frame.js';
import { toCloudEvent } from '../../../../shared/contract/events.js';
import { recorded, stored } from '../../../support/fixtures/events.js';

describe('live stream frame', () => {
  const event = recorded(stored(1, { content: 'One\r\ntwo\n\nthree\u2028four' }), 7);

  it('has one line of data and its id', () => {
    const lines = withId('6c1f09b2.7', eventFrame(event)).split(/\r\n|\r|\n/u);
    expect(lines).to.have.length(4);
    expect(lines[0]).to.equal('id: 6c1f09b2.7');
    expect(lines.slice(2)).to.deep.equal(['', '']);
    const shown: unknown = JSON.parse((lines[1] ?? '').replace(/^data: /u, ''));
    expect(shown).to.deep.equal(
      JSON.parse(JSON.stringify({ type: 'memory.stored', timestamp: event.time, data: toCloudEvent(event) })),
    );
  });

  it('shows the remaining fields of an erased event', () => {
    expect(eventFrame({ ...event, data: null }))
      .to.match(/^data: \{.*\}\n\n$/u)
      .and.not.include('three');
  });

  it('has no id for activity', () => {
    expect(activityFrame({ type: 'note', at: '2024-01-01T00:00:00+00:00', data: { text: 'a\nb' } })).to.equal(
      'data: {"type":"note","timestamp":"2024-01-01T00:00:00+00:00","data":{"text":"a\\nb"}}\n\n',
    );
  });

  it('starts with a colon when it is a comment', () => {
    expect(comment('keepalive')).to.equal(': keepalive\n\n');
  });
});
