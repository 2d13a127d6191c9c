import { expect } from 'chai';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';
import { readParts } from '../../../../shared/kernel/config/read-parts.js';

const broken =
  (...problems: string[]) =>
  () => {
    throw new ConfigurationError(problems);
  };

describe('readParts', () => {
  it('returns the value of every part', () => {
    expect(readParts({ one: () => 1, none: () => null })).to.deep.equal({ one: 1, none: null });
  });

  it('reports the problems of all parts together, each once', () => {
    expect(() => readParts({ one: broken('a', 'b'), fine: () => 1, other: broken('b', 'c') }))
      .to.throw(ConfigurationError)
      .with.property('problems')
      .that.deep.equals(['a', 'b', 'c']);
  });

  it('rethrows a bug instead of reporting it as a problem of the configuration', () => {
    expect(() =>
      readParts({
        one: broken('a'),
        other: () => {
          throw new TypeError('oops');
        },
      }),
    ).to.throw(TypeError, 'oops');
  });
});
