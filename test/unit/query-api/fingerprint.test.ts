import { expect } from 'chai';
import { contentFingerprint } from '../../../query-api/recall/fingerprint.js';

describe('the fingerprint of a content', () => {
  it('passes over case, punctuation and markup', () => {
    expect(contentFingerprint('**Use** `pg-bouncer`, please — now!')).to.equal('use pg bouncer please now');
    expect(contentFingerprint('  use pg_bouncer\n\nPLEASE now')).to.equal('use pg bouncer please now');
  });

  it('tells texts of every script apart', () => {
    expect(contentFingerprint('日本語')).to.equal('日本語');
    expect(contentFingerprint('Grüße 日本')).to.equal('grüße 日本');
    expect(contentFingerprint('हिन्दी भाषा')).to.not.equal(contentFingerprint('हन्दा भष'));
  });

  it('is the same for one text in two normal forms', () => {
    expect(contentFingerprint('Zu\u0308rich')).to.equal(contentFingerprint('Z\u00fcrich'));
  });

  it('looks at the first 320 characters', () => {
    expect(contentFingerprint(`${'a'.repeat(320)} one`)).to.equal(contentFingerprint(`${'a'.repeat(320)} two`));
  });

  it('is none where nothing is left', () => {
    expect(contentFingerprint('?!  —')).to.equal(null);
  });
});
