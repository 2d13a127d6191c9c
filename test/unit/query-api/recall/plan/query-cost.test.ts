/** No text of a caller, and no stored text, costs more than in proportion to its length. */
import { expect } from 'chai';
import { contextProfile } from '../../../../../query-api/recall/plan/context-profile.js';
import { decompose } from '../../../../../query-api/recall/plan/decompose.js';
import { asksForHistory, asksForLatest } from '../../../../../query-api/recall/plan/query-intent.js';
import { queryText, wordsOf } from '../../../../../query-api/recall/plan/query-text.js';
import { readTimeWindow } from '../../../../../query-api/recall/plan/time-window.js';
import { metadataQuery } from '../../../../../query-api/recall/retrieve/metadata-match.js';
import { subjectMatches } from '../../../../../query-api/recall/score/signals/subject-matches.js';
import { QUERY_LENGTH_LIMIT } from '../../../../../shared/contract/limits.js';
import { createAuthenticate } from '../../../../../shared/http/auth.js';
import { parseUuid } from '../../../../../shared/kernel/memory-id.js';
import { analyze } from '../../../../../shared/text/analyzer.js';
import { metadataWords } from '../../../../../shared/text/metadata-values.js';
import { expectLinear } from '../../../../support/checks/expect-linear.js';
import { memoryOf, NOW } from '../memories.js';

const PIECES = ['{', '-', 'a-', 'a', "'", "a's ", ' ', 'Ann ', 'a/', '1.', '1 d ', '\u6771', '\u6771a', '_', 'aB'];
const authenticate = createAuthenticate({ api: [{ name: 'one', token: 'secret' }], admin: null, internal: null });

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  parseUuid,
  queryText,
  wordsOf,
  decompose,
  'the profile of a query': (text) => contextProfile({}, text),
  'the profile of a context': (context) => contextProfile({ context, context_tags: [context] }, null),
  'the profile of a path': (active_path) => contextProfile({ active_path, language: active_path }, null),
  asksForLatest,
  asksForHistory,
  'a time window': (text) => readTimeWindow(text, NOW),
  metadataQuery,
  metadataWords,
  analyze,
  'the subject of a memory': (speaker) => subjectMatches('Ann', [memoryOf(1, { metadata: { speaker } })]),
  'the Bearer header': (text) => expect(() => authenticate('api', credentials(text))).to.throw(),
};

function credentials(text: string) {
  return { headers: { authorization: `Bearer${text}` }, query: new URLSearchParams() };
}

describe('the cost of a text', () => {
  for (const [name, read] of Object.entries(readers))
    it(`is linear in ${name}`, async () => {
      for (const piece of PIECES) await expectLinear(piece, read);
    });

  it('does not grow with a query beyond 4,096 characters', () => {
    const query = queryText(` ${'walrus '.repeat(8_000)}`);
    expect(query.query).to.equal('walrus '.repeat(8_000).slice(0, QUERY_LENGTH_LIMIT));
    expect(query.text).to.equal(query.query);
  });

  it('does not cut a surrogate pair', () => {
    const { text } = queryText(`x${'\u{1F9A6}'.repeat(3_000)}`);
    expect(text).to.equal(`x${'\u{1F9A6}'.repeat(2_047)}`);
  });

  it('is that of a name for the speaker of a memory: a longer text is no name', () => {
    const speaker = `Ann${'-'.repeat(40_000)}`;
    expect(subjectMatches('Ann', [memoryOf(1, { metadata: { speaker } })])).to.deep.equal([0]);
  });
});
