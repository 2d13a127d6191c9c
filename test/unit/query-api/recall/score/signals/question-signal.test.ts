import { expect } from 'chai';
import { questionSignal } from '../../../../../../query-api/recall/score/signals/signals.js';

describe('questionSignal', () => {
  for (const content of [
    'What?',
    'Wo ist es? ',
    'どこですか？',
    'أين؟',
    'Seen it? [shares a photo of a cat]',
    '"Why?"',
  ]) {
    it(`is 1 for "${content}"`, () => expect(questionSignal(content)).to.equal(1));
  }
  it('fades between 60 and 200 characters', () => {
    const ask = (length: number): string => `${'a'.repeat(length - 1)}?`;
    expect([60, 130, 200, 900].map((length) => questionSignal(ask(length)))).to.deep.equal([1, 0.5, 0, 0]);
  });

  for (const content of ['What? Nothing.', 'a ?? b', 'int x;', '']) {
    it(`is 0 for "${content}"`, () => expect(questionSignal(content)).to.equal(0));
  }
});
