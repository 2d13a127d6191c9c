import { expect } from 'chai';
import { jsonOf } from '../../../shared/http/send-reply.js';

describe('the text of a reply', () => {
  const long = Array.from({ length: 60 }, (_, index) =>
    index % 3 === 0 ? undefined : { index, 'a"b': '\ud800\u2028' },
  );
  const bodies: Readonly<Record<string, unknown>> = {
    'a long list': { status: 'success', items: long, absent: undefined, more: [1, { a: null }] },
    'two long lists': { a: long, b: long },
    'a short list': { items: [1, 2] },
    'a list alone': long,
    'a text': 'text',
    nothing: null,
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`is that of JSON.stringify for ${name}`, async () => {
      expect(await jsonOf(body)).to.equal(JSON.stringify(body));
    });
  }
});
