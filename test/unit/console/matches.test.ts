import { expect } from 'chai';
import { passagesOf, wordsOfTerms } from '../../../deploy/console/app/parts/matches.js';
import { queryTerms } from '../../../shared/text/analyzer.js';

function marked(text: string, query: string): string {
  const passages = passagesOf(text, queryTerms(query));
  expect(passages.map((passage) => passage.text).join('')).to.equal(text);
  return passages.map((passage) => (passage.isMatch ? `[${passage.text}]` : passage.text)).join('');
}

describe('matches of a query in a text', () => {
  it('have the same stem, not the same beginning', () => {
    expect(marked('Users use the shop; its uses are usual.', 'which shop is used')).to.equal(
      'Users [use] the [shop]; its [uses] are usual.',
    );
  });

  it('ignore case and accents', () => {
    expect(marked('ZÜRICH, Zurich, zu\u0308rich', 'zürich')).to.equal('[ZÜRICH], [Zurich], [zu\u0308rich]');
  });

  it('are whole compounds, or their matching parts', () => {
    expect(marked('See src/app/main.ts and ERR_CONN_RESET.', 'ERR_CONN_RESET')).to.equal(
      'See src/app/main.ts and [ERR_CONN_RESET].',
    );
    expect(marked('See src/app/main.ts', 'main')).to.equal('See src/app/[main].ts');
  });

  it('are found in scripts without blanks between words', () => {
    expect(marked('会議は東京で行う。', '東京')).to.equal('会議は[東京]で行う。');
  });

  it('leave text that looks like markup as it is', () => {
    expect(marked('<b>tea</b> & <img src=x>', 'tea')).to.equal('<b>[tea]</b> & <img src=x>');
    expect(marked('', 'tea')).to.equal('');
    expect(marked('no terms', '*')).to.equal('no terms');
  });

  it('name the words of the query as written', () => {
    expect(wordsOfTerms('Which databases does the shop use?', ['databas', 'us'])).to.deep.equal(['databases', 'use']);
  });
});
