import { expect } from 'chai';
import { toCloudEvent } from '../../../../shared/contract/cloud-event.js';
import { activityFrame, comment, eventFrame } from '../../../../query-api/stream/frame.js';
import { recorded, stored } from '../../../support/events.js';

describe('a frame of the live stream', () => {
  const event = recorded(stored(1, { content: 'One\r\ntwo\n\nthree\u2028four' }), 7);

  it('is one line of data with the position as id, whatever line breaks the event has', () => {
    const lines = eventFrame(event).split(/\r\n|\r|\n/u);
    expect(lines).to.have.length(4);
    expect(lines[0]).to.equal('id: 7');
    expect(lines.slice(2)).to.deep.equal(['', '']);
    const shown: unknown = JSON.parse((lines[1] ?? '').replace(/^data: /u, ''));
    expect(shown).to.deep.equal(
      JSON.parse(JSON.stringify({ type: 'memory.stored', timestamp: event.time, data: toCloudEvent(event) })),
    );
  });

  it('of an erased event says what is left of it', () => {
    expect(eventFrame({ ...event, data: null }))
      .to.match(/^id: 7\ndata: \{.*\}\n\n$/u)
      .and.not.include('three');
  });

  it('has no id when it is of what nobody keeps', () => {
    expect(activityFrame({ type: 'told', at: '2024-01-01T00:00:00+00:00', data: { text: 'a\nb' } })).to.equal(
      'data: {"type":"told","timestamp":"2024-01-01T00:00:00+00:00","data":{"text":"a\\nb"}}\n\n',
    );
  });

  it('that is a comment is passed over by clients', () => {
    expect(comment('keepalive')).to.equal(': keepalive\n\n');
  });
});
