import { expect } from 'chai';
import { jsonMistake } from '../../../../shared/http/request/json-mistake.js';
import { expectLinear } from '../../../support/checks/expect-linear.js';

describe('mistake in JSON', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['{"a":1,}', 'a comma before } at line 1, column 7'],
    ['[1,2,]', 'a comma before ] at line 1, column 5'],
    ['{"a":1', 'the end of the text in place of a comma or } at line 1, column 7'],
    ['{"a"', 'the end of the text in place of a colon at line 1, column 5'],
    ['{a:1}', 'the character "a" in place of a value, or a name in double quotes, at line 1, column 2'],
    ["{'a':1}", 'a single quote in place of a value, or a name in double quotes, at line 1, column 2'],
    ['{"a":None}', 'the character "N" in place of a value, or a name in double quotes, at line 1, column 6'],
    ['{"a":01}', 'the character "1" in place of a comma or the end of the list or object at line 1, column 7'],
    ['{"a":1 "b":2}', 'the character "\\"" in place of a comma or the end of the list or object at line 1, column 8'],
    ['{"a":"x', 'a string without its closing quote at line 1, column 6'],
    ['{\n  "a": "x\ny"}', 'a string without its closing quote at line 2, column 8'],
    ['{"a":"\\x"}', 'a backslash without a valid escape at line 1, column 6'],
    ['{"a":1} {"b":2}', 'more text after the end of the value at line 1, column 9'],
    ['\u{1f600}', 'the character "\u{1f600}" in place of a value, or a name in double quotes, at line 1, column 1'],
    ['content=x', 'the character "c" in place of a value, or a name in double quotes, at line 1, column 1'],
  ];
  for (const [text, mistake] of texts) {
    it(`is found in ${JSON.stringify(text)}`, () => {
      expect(() => JSON.parse(text) as unknown).to.throw(SyntaxError);
      expect(jsonMistake({ text })).to.equal(mistake);
    });
  }

  it('is found behind every kind of value', () => {
    const valid = '{"a":[1,-2.5e+3,true,false,null,"x\\u00e9\\n",{},[]],"b":{"c":"d"}}';
    expect(JSON.parse(valid)).to.be.an('object');
    expect(jsonMistake({ text: `${valid},` })).to.equal(
      `more text after the end of the value at line 1, column ${valid.length + 1}`,
    );
  });

  it('is found in time that grows with the length alone', async () => {
    for (const piece of ['\\n', '\n', '[', '[1,', '1'])
      await expectLinear(piece, (text) => jsonMistake({ text: `{"a":"${text}",}` }), { length: 6_000 });
  });
});
