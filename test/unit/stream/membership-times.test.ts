import { expect } from 'chai';
import { heartbeatMsOf, takeoverMsOf } from '../../../shared/stream/kafka/membership-times.js';

describe('the times of a member of a consumer group', () => {
  it('has ten heartbeats in a session', () => {
    expect(heartbeatMsOf({ sessionTimeoutMs: 30_000 })).to.equal(3_000);
    expect(heartbeatMsOf({ sessionTimeoutMs: 6_001 })).to.equal(601);
  });

  it('has the share of a killed one taken over only after its session, a heartbeat and the sharing out', () => {
    expect(takeoverMsOf({ sessionTimeoutMs: 30_000 })).to.equal(38_000);
    expect(takeoverMsOf({ sessionTimeoutMs: 6_000 })).to.equal(11_600);
    expect(takeoverMsOf({ sessionTimeoutMs: 120_000 })).to.equal(137_000);
  });
});
