import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config.js';
import { readParts } from '../../../shared/kernel/read-parts.js';

const broken =
  (...problems: string[]) =>
  () => {
    throw new ConfigurationError(problems);
  };

describe('a configuration of several parts', () => {
  it('has what every part gives', () => {
    expect(readParts({ one: () => 1, none: () => null })).to.deep.equal({ one: 1, none: null });
  });

  it('tells the problems of all parts together, and each once', () => {
    expect(() => readParts({ one: broken('a', 'b'), fine: () => 1, other: broken('b', 'c') }))
      .to.throw(ConfigurationError)
      .with.property('problems')
      .that.deep.equals(['a', 'b', 'c']);
  });

  it('does not take a bug for a problem of the configuration', () => {
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
