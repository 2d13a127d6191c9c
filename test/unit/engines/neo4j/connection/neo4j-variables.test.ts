import { expect } from 'chai';
import { neo4jConfig } from '../../../../../shared/engines/neo4j/connection/neo4j-variables.js';

describe('neo4jConfig', () => {
  it('is complete without any variable, including the deadline of a call', () => {
    const config = neo4jConfig({});
    expect(config).to.include({ url: 'bolt://127.0.0.1:7687', user: 'neo4j', password: null, database: 'neo4j' });
    expect(config.callTimeoutMs).to.equal(config.retryMs + config.transactionTimeoutMs);
  });

  it('accepts only addresses of servers and clusters, encrypted or not', () => {
    for (const url of ['bolt://db:7687', 'bolt://db', 'bolt+s://db:1', 'bolt+ssc://[::1]:7687/'])
      expect(neo4jConfig({ NEO4J_URL: url })).to.include({ url, isCluster: false });
    for (const url of ['neo4j://db:7687', 'neo4j+s://id.databases.neo4j.io', 'neo4j+ssc://db'])
      expect(neo4jConfig({ NEO4J_URL: url })).to.include({ url, isCluster: true });
    for (const url of [
      'http://db:7474',
      'db:7687',
      'bolt://',
      'neo4j://',
      'bolt://neo4j:secret@db:7687',
      'bolt://db?a=b c',
    ])
      expect(() => neo4jConfig({ NEO4J_URL: url }), url).to.throw('NEO4J_URL must be bolt://host:port or neo4j://');
  });

  it('never repeats a password from the address in an error', () => {
    expect(() => neo4jConfig({ NEO4J_URL: 'bolt://neo4j:secret@db' }))
      .to.throw()
      .with.property('message')
      .that.does.not.contain('secret');
  });
});
