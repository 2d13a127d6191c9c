import { expect } from 'chai';
import { addressesOf, exportLines, serviceVariables, testVariables } from '../../../deploy/local/addresses.js';
import { localConfig } from '../../../deploy/local/config.js';
import { SERVERS } from '../../support/servers/servers.js';

describe('addresses of the local servers', () => {
  const addresses = addressesOf(localConfig({ LOCAL_PORT_OFFSET: '6000' }, '/work'));

  it('have the variable names of our processes', () => {
    expect(serviceVariables(addresses)).to.deep.equal({
      POSTGRES_URL: 'postgres://palimpsest:palimpsest@127.0.0.1:11432/palimpsest',
      NEO4J_URL: 'bolt://127.0.0.1:13687',
      NEO4J_USER: 'neo4j',
      NEO4J_PASSWORD: 'palimpsest-local',
      KAFKA_BROKERS: '127.0.0.1:15092',
      QDRANT_URL: 'http://127.0.0.1:12333',
    });
  });

  it('include the test variable of every server', () => {
    expect(testVariables(addresses)).to.include.all.keys(Object.values(SERVERS).map(({ address }) => address));
  });

  it('are quoted in the export lines for a shell', () => {
    expect(exportLines({ A: "it's", B: '$HOME' })).to.equal("export A='it'\\''s'\nexport B='$HOME'\n");
  });
});
