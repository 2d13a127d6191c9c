import { expect } from 'chai';
import { heartbeatMsOf, takeoverMsOf } from '../../../../shared/engines/kafka/membership-times.js';

describe('membership times', () => {
  it('allow ten heartbeats in a session', () => {
    expect(heartbeatMsOf({ sessionTimeoutMs: 30_000 })).to.equal(3_000);
    expect(heartbeatMsOf({ sessionTimeoutMs: 6_001 })).to.equal(601);
  });

  it('add session timeout, heartbeat interval and margin for takeoverMs', () => {
    expect(takeoverMsOf({ sessionTimeoutMs: 30_000 })).to.equal(38_000);
    expect(takeoverMsOf({ sessionTimeoutMs: 6_000 })).to.equal(11_600);
    expect(takeoverMsOf({ sessionTimeoutMs: 120_000 })).to.equal(137_000);
  });
});
