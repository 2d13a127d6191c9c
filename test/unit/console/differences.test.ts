import { expect } from 'chai';
import { piecesOf, setPieces, textOf } from '../../../deploy/console/app/parts/differences.js';

const shown = (pieces: ReturnType<typeof piecesOf>): string =>
  pieces.map(({ kind, text }) => ({ same: text, added: `+${text}`, removed: `-${text}` })[kind]).join('|');

describe('differences of two versions', () => {
  it('name the words that changed', () => {
    expect(shown(piecesOf('The shop uses MySQL today', 'The shop uses PostgreSQL today'))).to.equal(
      'The |shop |uses |-MySQL |+PostgreSQL |today',
    );
  });

  it('leave the word before an addition unchanged', () => {
    expect(shown(piecesOf('It is late', 'It is late\nand dark'))).to.equal('It |is |late\n|+and |+dark');
  });

  it('name all words of a new text, none of equal texts', () => {
    expect(shown(piecesOf('', 'two words'))).to.equal('+two |+words');
    expect(shown(piecesOf('two words', 'two words'))).to.equal('two words');
    expect(piecesOf('', '')).to.deep.equal([]);
  });

  it('show changed texts above the limit one after the other', () => {
    const long = 'word '.repeat(1_501);
    expect(piecesOf(long, 'word')).to.deep.equal([
      { kind: 'removed', text: long },
      { kind: 'added', text: 'word' },
    ]);
    expect(piecesOf(long, long)).to.deep.equal([{ kind: 'same', text: long }]);
  });

  it('compare tags as sets: a tag that only moved is the same', () => {
    expect(shown(setPieces(['shop', 'database', 'release'], ['database', 'shop', 'done']))).to.equal(
      'database|shop|+done|-release',
    );
    expect(shown(setPieces(['last'], ['last', 'more']))).to.equal('last|+more');
  });

  it('show a property that was added to an object as one line', () => {
    const before = textOf({ source: 'chat', pages: [1, 2] });
    const after = textOf({ source: 'chat', pages: [1, 2], where: { city: 'Oslo' } });
    expect(
      shown(piecesOf(before, after))
        .split('|')
        .filter((piece) => /^[+-]/u.test(piece)),
    ).to.deep.equal(['+where: ', '+{"city":"Oslo"}']);
  });
});
