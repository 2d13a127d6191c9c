import { expect } from 'chai';
import { COMMIT_LEASE_MS, neo4jConfig } from '../../../shared/graph/neo4j/neo4j-variables.js';

describe('the configuration of Neo4j', () => {
  it('is complete without any variable, and no call outlasts the lease of a commit', () => {
    const config = neo4jConfig({});
    expect(config).to.include({ url: 'bolt://127.0.0.1:7687', user: 'neo4j', password: null, database: 'neo4j' });
    expect(config.callTimeoutMs).to.equal(config.retryMs + config.transactionTimeoutMs).and.be.lessThan(COMMIT_LEASE_MS);
  });

  it('refuses times that together reach the lease', () => {
    const times = (retry: number, transaction: number) => () => neo4jConfig({ NEO4J_RETRY_MS: String(retry), NEO4J_TRANSACTION_TIMEOUT_MS: String(transaction) });
    expect(times(15_000, 14_999)).to.not.throw();
    expect(times(15_000, 15_000)).to.throw('must add up to less than 30000 ms, after which another process takes over a commit, not to 30000');
  });

  it('takes the addresses of servers and clusters, encrypted or not, and no other', () => {
    for (const url of ['bolt://db:7687', 'neo4j://db', 'bolt+s://db:1', 'neo4j+ssc://[::1]:7687/']) expect(neo4jConfig({ NEO4J_URL: url }).url).to.equal(url);
    for (const url of ['http://db:7474', 'db:7687', 'bolt://', 'bolt://neo4j:secret@db:7687', 'bolt://db:7687?a=b c']) {
      expect(() => neo4jConfig({ NEO4J_URL: url }), url).to.throw('NEO4J_URL must be bolt://host:port or neo4j://host:port');
    }
  });

  it('never repeats a password that stands in the address', () => {
    expect(() => neo4jConfig({ NEO4J_URL: 'bolt://neo4j:secret@db' })).to.throw().with.property('message').that.does.not.contain('secret');
  });
});
