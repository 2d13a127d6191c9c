import { expect } from 'chai';
import { commandProcessConfig } from '../../../command-api/process-config.js';

describe('commandProcessConfig', () => {
  const configure = (changes: Readonly<Record<string, string>>) => () =>
    commandProcessConfig({ POSTGRES_URL: 'postgres://x/y', QDRANT_URL: 'http://x', ...changes });

  it('has a commit lease above the longest call to the graph by default', () => {
    const config = configure({})();
    expect(config.neo4j.callTimeoutMs).to.be.lessThan(config.commit.leaseMs);
  });

  it('refuses graph times that together reach the commit lease', () => {
    const times = (retry: number, transaction: number) => ({
      NEO4J_RETRY_MS: String(retry),
      NEO4J_TRANSACTION_TIMEOUT_MS: String(transaction),
    });
    expect(configure(times(15_000, 14_999))).to.not.throw();
    expect(configure(times(15_000, 15_000))).to.throw(
      'COMMIT_LEASE_MS must be above NEO4J_RETRY_MS and NEO4J_TRANSACTION_TIMEOUT_MS together, which are 30000, not 30000',
    );
    expect(configure({ ...times(20_000, 20_000), COMMIT_LEASE_MS: '60000' })).to.not.throw();
  });
});
