import { expect } from 'chai';
import { type PortName, portOf, PORTS } from '../../../deploy/local/addresses.js';
import { localConfig } from '../../../deploy/local/config.js';

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

  it('adds the offset to every port', () => {
    const config = localConfig({ LOCAL_PORT_OFFSET: '1000' }, '/work');
    for (const name of Object.keys(PORTS) as PortName[])
      expect(portOf(name, config), name).to.equal(PORTS[name] + 1_000);
  });

  it('gives each further instance a port ten higher, so that no ports collide', () => {
    const config = localConfig({ LOCAL_INSTANCES: '8' }, '/work');
    const ours = (['command-api', 'query-api', 'projectors', 'relay'] as const).flatMap((name) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((instance) => portOf(name, config, instance)),
    );
    expect(portOf('query-api', config, 2)).to.equal(8_022);
    expect(new Set(ours).size).to.equal(32);
  });

  it('rejects an offset that leads beyond the largest port', () => {
    expect(() => localConfig({ LOCAL_PORT_OFFSET: '60000' }, '/work')).to.throw(
      'LOCAL_PORT_OFFSET must be at most 50000, not 60000',
    );
  });
});
