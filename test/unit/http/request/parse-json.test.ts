import { expect } from 'chai';
import { createJsonScan } from '../../../../shared/http/request/json-checks.js';
import { jsonMistake } from '../../../../shared/http/request/json-mistake.js';
import { measureJson, parseJson, rejectUnstorableBody } from '../../../../shared/http/request/parse-json.js';
import { rejection } from '../../../support/checks/rejection.js';

const NO_LIMITS = { depth: Infinity, values: Infinity, names: Infinity };
/** Longer than a part, with every character that the scan checks. */
const LONG = '\u00e9,"[{}]\\\n:'.repeat(20_000);

async function parse(text: string) {
  const bytes = Buffer.from(text);
  const { list } = await measureJson(NO_LIMITS, bytes);
  return { parts: (list?.commas.length ?? 0) + 1, parsed: await parseJson(bytes, list) };
}

/** Of a text with a list that has several parts. */
async function mistakeOf(text: string): Promise<string | null> {
  const { parts, parsed } = await parse(text);
  expect(parts).to.be.above(1);
  return 'mistake' in parsed ? jsonMistake(parsed.mistake) : null;
}

describe('a large body', () => {
  const items = [{ content: LONG }, 'b', { c: [1, [2], LONG] }, null, LONG, 5];

  it('has the value of JSON.parse when its list is parsed in parts', async () => {
    for (const text of [
      JSON.stringify({ memories: items }),
      JSON.stringify({ first: 1, memories: items, last: { a: [] } }, null, 2),
      JSON.stringify({ short: [1], ['__proto__']: items }),
      `{"a":${JSON.stringify(items)},"a":2,"b":[3]}`,
      `\ufeff{"a":1,"b":${JSON.stringify(items)}}`,
    ]) {
      const { parts, parsed } = await parse(text);
      expect(parts).to.be.above(1);
      expect('value' in parsed && parsed.value).to.deep.equal(JSON.parse(text.replace('\ufeff', '')));
      expect(JSON.stringify('value' in parsed && parsed.value)).to.equal(
        JSON.stringify(JSON.parse(text.replace('\ufeff', ''))),
      );
    }
  });

  it('is one part without a list in an object', async () => {
    for (const value of [{ content: LONG.repeat(3) }, items, [items], { a: { b: items } }]) {
      const { parts, parsed } = await parse(JSON.stringify(value));
      expect(parts).to.equal(1);
      expect('value' in parsed && parsed.value).to.deep.equal(value);
    }
  });

  it('is scanned in steps of any length', () => {
    const json = Buffer.from(JSON.stringify({ a: '\\"', b: [{ c: '"\\\\' }, [1, '['], LONG, LONG, 2] }));
    const scan = createJsonScan(NO_LIMITS, json);
    for (let end = 1; end <= json.length; end += end < 200 ? 1 : 100_003) scan.scanUntil(end);
    scan.scanUntil(json.length);
    const whole = createJsonScan(NO_LIMITS, json);
    whole.scanUntil(json.length);
    expect(scan.longestList()).to.deep.equal(whole.longestList());
    expect(scan.longestList()?.commas).to.have.length.above(0);
  });
});

describe('a mistake in a large body', () => {
  const long = JSON.stringify(LONG);
  const texts: readonly string[] = [
    `{"a":1,"m":[${long},1,${long},2],}`,
    `{"a":1,"m":[${long},1,${long},2}]`,
    `{"a":1,"m":[${long},1,${long},2],"b":x}`,
    `{'a':1,"m":[${long},1,${long},2]}`,
    `{"m":[${long},1 2,${long},2]}`,
    `{"m":[${long},,${long},2]}`,
    `{"m":[,${long},${long},2]}`,
    `{"m":[${long},\n\n ${long},2,]}`,
    `{"m":[${long},\n{"a":\n1]\n,${long},2]}`,
    `{"m":[${long},1,${long},\n"x`,
    `{"m":[${long},1,${long},\n{"a":1}`,
    `{"m":[${long},1,${long},2]`,
  ];
  for (const text of texts) {
    const shown = text.replaceAll(long, '_');
    it(`is described as in the whole text: ${JSON.stringify(shown)}`, async () => {
      expect(await mistakeOf(text)).to.equal(jsonMistake({ text }));
    });
  }
});

describe('rejectUnstorableBody', () => {
  it('names the path of a value that no database can store', async () => {
    const { parsed } = await parse(`{"m":[${JSON.stringify(LONG)},${JSON.stringify(LONG)},{"a":["\\ud800"]}]}`);
    if ('mistake' in parsed) throw new Error('The text is JSON');
    expect(parsed.isSuspicious).to.equal(true);
    expect(await rejection(rejectUnstorableBody(parsed.value as object))).to.include({
      message: "'m[2].a[0]' must not contain the character U+0000 or half a surrogate pair",
      field: 'm',
    });
    expect(await rejection(rejectUnstorableBody({ 'a\0': 1 }))).to.have.property(
      'message',
      'The names of the fields must not contain the character U+0000 or half a surrogate pair',
    );
  });
});
