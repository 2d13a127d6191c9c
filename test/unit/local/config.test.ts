import { expect } from 'chai';
import { localConfig } from '../../../deploy/local/config.js';
import { type PortName, portOf, PORTS, portVariable } from '../../../deploy/local/ports.js';

describe('localConfig', () => {
  it('defaults to a folder in the working folder and to the usual ports', () => {
    const config = localConfig({}, '/work');
    expect(config.folder).to.equal('/work/.palimpsest-local');
    expect(portOf('neo4j', config)).to.equal(7687);
    expect(portOf('gateway', config)).to.equal(8001);
  });

  it('uses an absolute folder unchanged', () => {
    expect(localConfig({ LOCAL_DIR: '/somewhere/else' }, '/work').folder).to.equal('/somewhere/else');
  });

  it('adds the offset to every port except one with its own variable', () => {
    const config = localConfig({ LOCAL_PORT_OFFSET: '1000', LOCAL_KAFKA_PORT: '9999' }, '/work');
    const names = Object.keys(PORTS) as PortName[];
    for (const name of names.filter((name) => name !== 'kafka'))
      expect(portOf(name, config), name).to.equal(PORTS[name] + 1_000);
    expect(portOf('kafka', config)).to.equal(9_999);
  });

  it('gives each further instance a port ten higher, so that no ports collide', () => {
    const config = localConfig({ LOCAL_INSTANCES: '8' }, '/work');
    const ours = (['command-api', 'query-api', 'projectors', 'relay'] as const).flatMap((name) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((instance) => portOf(name, config, instance)),
    );
    expect(portOf('query-api', config, 2)).to.equal(8_022);
    expect(new Set(ours).size).to.equal(32);
  });

  it('derives the name of a port variable from the name of its program', () => {
    expect(portVariable('kafka-controller')).to.equal('LOCAL_KAFKA_CONTROLLER_PORT');
  });

  it('rejects a number above the largest port', () => {
    expect(() => localConfig({ LOCAL_QDRANT_PORT: '70000' }, '/work')).to.throw(
      'LOCAL_QDRANT_PORT must be at most 65535, not 70000',
    );
  });
});
