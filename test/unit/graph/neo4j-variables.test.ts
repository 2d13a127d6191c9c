import { expect } from 'chai';
import { neo4jConfig } from '../../../shared/graph/neo4j/neo4j-variables.js';

describe('the configuration of Neo4j', () => {
  it('is complete without any variable, and says how long a call may last', () => {
    const config = neo4jConfig({});
    expect(config).to.include({ url: 'bolt://127.0.0.1:7687', user: 'neo4j', password: null, database: 'neo4j' });
    expect(config.callTimeoutMs).to.equal(config.retryMs + config.transactionTimeoutMs);
  });

  it('takes the addresses of servers and clusters, encrypted or not, and no other', () => {
    for (const url of ['bolt://db:7687', 'neo4j://db', 'bolt+s://db:1', 'neo4j+ssc://[::1]:7687/'])
      expect(neo4jConfig({ NEO4J_URL: url }).url).to.equal(url);
    for (const url of ['http://db:7474', 'db:7687', 'bolt://', 'bolt://neo4j:secret@db:7687', 'bolt://db:7687?a=b c']) {
      expect(() => neo4jConfig({ NEO4J_URL: url }), url).to.throw(
        'NEO4J_URL must be bolt://host:port or neo4j://host:port',
      );
    }
  });

  it('never repeats a password that stands in the address', () => {
    expect(() => neo4jConfig({ NEO4J_URL: 'bolt://neo4j:secret@db' }))
      .to.throw()
      .with.property('message')
      .that.does.not.contain('secret');
  });
});
