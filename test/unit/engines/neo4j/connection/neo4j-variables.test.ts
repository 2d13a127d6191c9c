import { expect } from 'chai';
import { neo4jConfig } from '../../../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { ConfigurationError } from '../../../../../shared/kernel/config/config.js';

describe('neo4jConfig', () => {
  it('is complete without any variable, including the deadline of a call', () => {
    const config = neo4jConfig({});
    expect(config).to.include({ url: 'bolt://127.0.0.1:7687', user: 'neo4j', password: null, database: 'neo4j' });
    expect(config.callTimeoutMs).to.equal(config.retryMs + config.transactionTimeoutMs);
  });

  it('accepts only addresses of servers, encrypted or not', () => {
    for (const url of ['bolt://db:7687', 'bolt://db', 'bolt+s://db:1', 'bolt+ssc://[::1]:7687/'])
      expect(neo4jConfig({ NEO4J_URL: url }).url).to.equal(url);
    for (const url of ['http://db:7474', 'db:7687', 'bolt://', 'bolt://neo4j:secret@db:7687', 'bolt://db:7687?a=b c']) {
      expect(() => neo4jConfig({ NEO4J_URL: url }), url).to.throw('NEO4J_URL must be bolt://host:port');
    }
  });

  for (const encryption of ['', '+s', '+ssc']) {
    it(`refuses neo4j${encryption}://, and says what to write instead`, () => {
      const address = `neo4j${encryption}://cluster:7687`;
      expect(() => neo4jConfig({ NEO4J_URL: address })).to.throw(
        ConfigurationError,
        `Write bolt${encryption}://host:port with the server that takes the writes`,
      );
    });
  }

  it('never repeats a password from the address in an error', () => {
    expect(() => neo4jConfig({ NEO4J_URL: 'bolt://neo4j:secret@db' }))
      .to.throw()
      .with.property('message')
      .that.does.not.contain('secret');
  });
});
