import { expect } from 'chai';
import { addressesOf, exportLines, serviceVariables, testVariables } from '../../../deploy/local/addresses.js';
import { localConfig } from '../../../deploy/local/config.js';
import { PORTS, portOf, portVariable, type PortName } from '../../../deploy/local/ports.js';
import { SERVERS } from '../../support/servers.js';

describe('the configuration of the local servers', () => {
  it('has a folder in the working folder and the usual ports by default', () => {
    const config = localConfig({}, '/work');
    expect(config.folder).to.equal('/work/.palimpsest-local');
    expect(portOf('neo4j', config)).to.equal(7687);
    expect(portOf('gateway', config)).to.equal(8001);
  });

  it('takes a folder as it is when it begins at the root', () => {
    expect(localConfig({ LOCAL_DIR: '/somewhere/else' }, '/work').folder).to.equal('/somewhere/else');
  });

  it('moves every port by the offset, but not one that was set alone', () => {
    const config = localConfig({ LOCAL_PORT_OFFSET: '1000', LOCAL_KAFKA_PORT: '9999' }, '/work');
    const names = Object.keys(PORTS) as PortName[];
    for (const name of names.filter((name) => name !== 'kafka'))
      expect(portOf(name, config), name).to.equal(PORTS[name] + 1_000);
    expect(portOf('kafka', config)).to.equal(9_999);
  });

  it('puts each further instance ten ports on, so that none meets another', () => {
    const config = localConfig({ LOCAL_INSTANCES: '8' }, '/work');
    const ours = (['command-api', 'query-api', 'projectors', 'relay'] as const).flatMap((name) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((instance) => portOf(name, config, instance)),
    );
    expect(portOf('query-api', config, 2)).to.equal(8_022);
    expect(new Set(ours).size).to.equal(32);
  });

  it('names the variable of a port after its program', () => {
    expect(portVariable('kafka-controller')).to.equal('LOCAL_KAFKA_CONTROLLER_PORT');
  });

  it('refuses what is no port', () => {
    expect(() => localConfig({ LOCAL_QDRANT_PORT: '70000' }, '/work')).to.throw(
      'LOCAL_QDRANT_PORT must be at most 65535, not 70000',
    );
  });
});

describe('the addresses of the local servers', () => {
  const addresses = addressesOf(localConfig({ LOCAL_PORT_OFFSET: '6000' }, '/work'));

  it('are what our processes read', () => {
    expect(serviceVariables(addresses)).to.deep.equal({
      POSTGRES_URL: 'postgres://palimpsest:palimpsest@127.0.0.1:11432/palimpsest',
      NEO4J_URL: 'bolt://127.0.0.1:13687',
      NEO4J_USER: 'neo4j',
      NEO4J_PASSWORD: 'palimpsest-local',
      KAFKA_BROKERS: '127.0.0.1:15092',
      QDRANT_URL: 'http://127.0.0.1:12333',
    });
  });

  it('name every server to the tests', () => {
    expect(testVariables(addresses)).to.include.all.keys(Object.values(SERVERS).map(({ address }) => address));
  });

  it('are quoted for a shell', () => {
    expect(exportLines({ A: "it's", B: '$HOME' })).to.equal("export A='it'\\''s'\nexport B='$HOME'\n");
  });
});
