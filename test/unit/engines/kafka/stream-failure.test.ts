import { expect } from 'chai';
import { streamFailure } from '../../../../shared/engines/kafka/stream-failure.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';

describe('streamFailure', () => {
  it('returns a ConfigurationError only where waiting cannot help', () => {
    expect(streamFailure(new Error('Connection error: ECONNREFUSED'), 'answer')).to.be.instanceOf(DependencyError);
    const refused = Object.assign(new Error('refused'), { type: 'TOPIC_AUTHORIZATION_FAILED' });
    expect(streamFailure(new Error('tried 3 times', { cause: refused }), 'answer')).to.be.instanceOf(
      ConfigurationError,
    );
  });
});
