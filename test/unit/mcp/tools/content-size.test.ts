import { expect } from 'chai';
import { largeContentWarning, refuseLargeContent, sizeContent } from '../../../../deploy/mcp/tools/fields.js';

const sized = (characters: number, field?: string) => sizeContent('x'.repeat(characters), field);

describe('content size', () => {
  it('counts code points without surrounding whitespace, like the service', () => {
    expect(sizeContent(' 𝄞é日 \n').characters).to.equal(3);
  });

  it('accepts 2,000 characters and rejects more with the length', () => {
    expect(refuseLargeContent([sized(2_000)])).to.equal(null);

    const {
      text: [text = ''],
      structured,
      isError,
    } = refuseLargeContent([sized(2_001)]) ?? { text: [] };
    expect(isError).to.equal(true);
    expect(text).to.match(
      /^Error: Rejected before anything was sent: content \(2001 characters\) is over the limit of 2000 characters\. Nothing was written\./u,
    );
    expect(structured).to.deep.equal({
      error: 'content_too_large',
      content_length: 2_001,
      hard_limit: 2_000,
      message: text.slice('Error: '.length),
    });
  });

  it('warns above 500 characters', () => {
    expect(largeContentWarning([sized(500)])).to.equal(null);
    expect(largeContentWarning([sized(501)])).to.include('content (501 characters) is over 500 characters');
  });

  it('names ten items of a batch and the number of others', () => {
    const sizes = Array.from({ length: 13 }, (_, index) =>
      sized(index === 0 ? 3 : 2_001, `memories[${index}].content`),
    );

    expect(refuseLargeContent(sizes)?.text[0]).to.match(
      /sent: memories\[1\]\.content \(2001 characters\), .*memories\[10\]\.content \(2001 characters\) and 2 more are over/u,
    );
  });
});
