import { expect } from 'chai';
import { isQuestion } from '../../../../../../query-api/recall/score/signals/is-question.js';

describe('isQuestion', () => {
  for (const content of [
    'What?',
    'Wo ist es? ',
    'どこですか？',
    'أين؟',
    'Seen it? [shares a photo of a cat]',
    '"Why?"',
  ]) {
    it(`is true for "${content}"`, () => expect(isQuestion(content)).to.equal(true));
  }
  for (const content of ['What? Nothing.', 'a ?? b', 'int x;', '']) {
    it(`is false for "${content}"`, () => expect(isQuestion(content)).to.equal(false));
  }
});
