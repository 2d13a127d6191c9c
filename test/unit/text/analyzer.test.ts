import { expect } from 'chai';
import fc from 'fast-check';
import { QUERY_LENGTH_LIMIT } from '../../../shared/contract/limits.js';
import { analyze, MAX_QUERY_TERMS, MAX_TERM_LENGTH, MAX_TERMS, queryTerms } from '../../../shared/text/analyzer.js';

describe('analyzer', () => {
  const cases: readonly (readonly [fact: string, text: string, terms: string])[] = [
    ['stems English words', 'Deploying deployed deploys organizations', 'deploi deploi deploi organ'],
    ['leaves stop words out', 'We decided to use the database', 'decid us databas'],
    ['keeps stop words where there is nothing else', 'To be or not to be', 'to be or not to be'],
    ['drops possessives and knows contractions', "Alice's cache isn't warm, we’ll see", 'alic cach warm see'],
    ['keeps an identifier whole, and gives its parts', 'ERR_CONN_RESET', 'err_conn_reset err conn reset'],
    ['keeps the number of an issue', 'PAY-1234', 'pay-1234 pai 1234'],
    ['keeps a path', 'src/app/main.ts', 'src/app/main.ts src app main ts'],
    ['keeps a version', 'v2.3.1', 'v2.3.1 v2'],
    ['keeps a commit id', '9f8e7d6c5b4a', '9f8e7d6c5b4a'],
    [
      'takes camelCase apart',
      'getUserName parseXMLDocument',
      'getusernam get user name parsexmldocu pars xml document',
    ],
    ['keeps an address', 'mail john.doe@example.com', 'mail john.doe@example.com john doe exampl com'],
    ['takes compounds apart', 'kebab-case-name snake_case', 'kebab-case-name kebab case name snake_case snake case'],
    ['distinguishes C, C++ and C#', 'C C++ C#', 'c c++ c#'],
    ['folds accents and sharp s', 'Die Größe, naïve Café', 'die gross naiv cafe'],
    ['folds widths and ligatures', 'ＡＢＣ１２３ ﬁle', 'abc123 file'],
    ['finds Chinese words', '我们决定使用数据库', '我们 决定 使用 数据 库'],
    ['finds Japanese words next to Latin words', '東京でGPT-4を', '東京 で gpt-4 gpt を'],
    ['finds Thai words', 'ประชุมพรุ่งนี้', 'ประชุม พรุ่ง นี้'],
    ['drops Arabic vowel signs', 'الفريق غداً', 'الفريق غدا'],
    ['keeps the signs of Hindi', 'हिन्दी में', 'हिन्दी में'],
    ['finds Korean words also by pairs', '한국어로', '한국어로 한국 국어 어로'],
    ['finds nothing in signs', '... !!! \u0000 🚀', ''],
  ];
  for (const [fact, text, terms] of cases) {
    it(fact, () => expect(analyze(text).join(' ')).to.equal(terms));
  }

  it('returns the distinct terms of a query in order', () => {
    expect(queryTerms('cache the caches, then Redis cache')).to.deep.equal(['cach', 'redi']);
  });

  it('limits the number of terms of texts and queries, and their length', () => {
    const many = Array.from({ length: 3 * MAX_TERMS }, (_, index) => `w${index % 900}`).join(' ');
    expect(analyze(many).length).to.be.at.most(MAX_TERMS);
    expect(queryTerms(many)).to.have.length(MAX_QUERY_TERMS);
    expect(analyze('x1'.repeat(MAX_TERM_LENGTH)).map((term) => term.length)).to.deep.equal([MAX_TERM_LENGTH]);
    expect(queryTerms(`${' '.repeat(QUERY_LENGTH_LIMIT)}late`)).to.deep.equal([]);
  });

  it('returns stable terms without blanks or control characters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const terms = analyze(text);
        expect(terms.filter((term) => term === '' || /[\s\p{Cc}A-Z]/u.test(term))).to.deep.equal([]);
        expect(analyze(text)).to.deep.equal(terms);
      }),
    );
  });

  it('returns equal terms for a word alone and in a text', () => {
    const words = [
      'deployment',
      'ERR_CONN_RESET',
      'main.ts',
      'PAY-1234',
      'v2.3.1',
      'Überweisung',
      'データベース',
      'الفريق',
      'userName',
      'b4a9f',
    ];
    const terms = new Set(analyze(words.join(', ')));
    expect(words.filter((word) => !queryTerms(word).every((term) => terms.has(term)))).to.deep.equal([]);
  });
});
