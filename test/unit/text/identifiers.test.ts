import { expect } from 'chai';
import fc from 'fast-check';
import { identifiersOf, MAX_IDENTIFIERS } from '../../../shared/text/identifiers.js';

describe('identifiersOf', () => {
  const named: readonly (readonly [kind: string, query: string, wholes: string])[] = [
    ['a ticket', 'what do we know of PAY-4123?', 'pay-4123'],
    ['a ticket that owns something', "what was PAY-4123's cause", 'pay-4123'],
    ['a commit', 'why was 9f86d081 taken back', '9f86d081'],
    ['a commit that begins like an amount', 'is 1234abc in the release', '1234abc'],
    ['a path', 'what happens inside src/app/handlers/main.ts again', 'src/app/handlers/main.ts'],
    ['a path without an ending', 'who owns deploy/charts/gateway', 'deploy/charts/gateway'],
    ['a file', 'is there a test for main.ts', 'main.ts'],
    ['an error code', 'how to get rid of ERR_CONN_RESET', 'err_conn_reset'],
    ['a version', 'is 20.11.1 safe, or v18.2', '20.11.1 v18.2'],
    ['a name out of code', 'who calls parseUserName and std::vector', 'parseusernam std::vector'],
    ['an address', 'mail to ann@example.com from 10.0.0.17', 'ann@example.com 10.0.0.17'],
    ['a long number', 'order 4711042 is late', '4711042'],
    ['one in a script without blanks', '错误码ERR_42是什么', 'err_42'],
  ];
  for (const [kind, query, wholes] of named) {
    it(`finds ${kind}`, () =>
      expect(
        identifiersOf(query)
          .map(({ whole }) => whole)
          .join(' '),
      ).to.equal(wholes));
  }

  it('finds none in ordinary sentences', () => {
    const sentences = [
      "When did Melanie's self-care group meet and/or talk in the U.S. at 10:30am?",
      'What did she do on the 5th of May 2023, or on 2023-05-05?',
      'Which 6-month, one-year-old, 3D-printed, dairy-free thing of the 1990s costs 3.50 or 5K?',
      'Does LeBron own a YouTube channel or an iPhone',
      'Was it 24/7, 9-5 or 1500ms, i.e. about 100 km?',
      'artists/bands of well-known sci-fi',
      '',
      '!?',
    ];
    for (const sentence of sentences) expect(identifiersOf(sentence), sentence).to.deep.equal([]);
  });

  it('returns the parts, unless a part is too short', () => {
    const [ticket, version] = identifiersOf('PAY-4123 or 20.11.1');
    expect(ticket?.parts).to.deep.equal(['pai', '4123']);
    expect(version?.parts).to.deep.equal([]);
  });

  it('returns distinct identifiers up to the limit', () => {
    expect(identifiersOf('PAY-1 or pay-1')).to.have.length(1);
    expect(identifiersOf(Array.from({ length: 50 }, (_, index) => `PAY-${index}`).join(' '))).to.have.length(
      MAX_IDENTIFIERS,
    );
  });

  it('reads any text quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const { whole } of identifiersOf(text)) expect(whole).to.match(/^\S+$/u);
      }),
    );
    for (const sign of ['a1-', 'a/', 'a.', '1.', 'aB', '1-a', '_'])
      expect(identifiersOf(sign.repeat(50_000))).to.have.length.at.most(1);
  });
});
