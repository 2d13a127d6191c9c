import { expect } from 'chai';
import { trimCharacters, trimTrailing } from '../../../../shared/kernel/validation/trim-characters.js';

describe('trimCharacters', () => {
  it('removes the characters from both ends and keeps them inside', () => {
    expect(trimCharacters('{{a{}b}}', '{}')).to.equal('a{}b');
    expect(trimCharacters('}}{{', '{}')).to.equal('');
    expect(trimCharacters('', '{}')).to.equal('');
  });
});

describe('trimTrailing', () => {
  it('removes the characters from the end alone', () => {
    expect(trimTrailing('//a//b//', '/')).to.equal('//a//b');
    expect(trimTrailing('///', '/')).to.equal('');
  });
});
