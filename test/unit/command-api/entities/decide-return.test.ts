/** Which tags a memory has after the undo of the merge of `a` into `b`, which was merged into `c` like `d`. */
import { expect } from 'chai';
import { decideReturn, type Return, type TagVersion } from '../../../../command-api/entities/decide-unmerge.js';
import { tagPrefixes } from '../../../../shared/text/tags.js';
import { facts, loaded } from '../fixtures.js';

const key = (slug: string) => ({ category: 'tools', slug });
const tag = (slug: string): string => `entity:tools:${slug}`;
/** The clock of the merge was ahead of that of the undo. */
const MERGED_AT = { position: 10, time: '2024-05-03T00:00:00+00:00' };
const UNDONE_AT = { position: 20, time: '2024-05-01T00:00:00+00:00' };
const CHANGE: Return = {
  source: key('a'),
  name: 'A',
  end: key('c'),
  own: [key('a'), key('below')],
  above: [key('b'), key('c')],
  others: [key('d')],
  mergedAt: MERGED_AT,
  undoneAt: UNDONE_AT,
};

/** Slugs of each version; `>` before those that a move wrote. */
function historyOf(text: string): readonly TagVersion[] {
  return text.split(' ').map((version) => ({
    isMove: version.startsWith('>'),
    tags: version
      .replace('>', '')
      .split('+')
      .filter((slug) => slug !== '-')
      .map(tag),
  }));
}

/** The slugs after the undo; null when nothing is decided. */
function after(history: string, memory = {}): readonly string[] | null {
  const versions = historyOf(history);
  const tags = [...(versions.at(-1)?.tags ?? [])];
  const one = loaded({ tags, tag_prefixes: tagPrefixes(tags), ...memory });
  const [event] = decideReturn([{ loaded: one, history: { versions, enrichedAt: undefined } }], CHANGE, facts()).events;
  const data = event?.data as { readonly memory: { readonly tags: readonly string[] } } | undefined;
  return data === undefined ? null : data.memory.tags.map((each) => each.split(':').at(-1) ?? '');
}

describe('a memory after the undo of a merge', () => {
  const cases: readonly (readonly [title: string, history: string, expected: readonly string[] | null])[] = [
    ['gets the tag back that merges in a row took', 'a >b >c', ['a']],
    ['gets it back after changes by callers', 'a a+x >b+x >c+x c+y', ['a', 'y']],
    ['gets it back when it was tagged after the merge', '- a >c', ['a']],
    ['gets it back for an entity below', 'below >c', ['a']],
    ['keeps the tag that it had itself', 'a+c >c', ['c', 'a']],
    ['keeps the tag of the entity between', 'a+b >b >c', ['c', 'a']],
    ['keeps the tag that another merge gave', 'a+d >b+d >c+d >c', ['c', 'a']],
    ['keeps the tag that another merge gave first', 'a+d >a+c >b+c >c', ['c', 'a']],
    ['stays without a merged tag', 'c', null],
    ['stays when only another was merged', 'd >c', null],
    ['stays when a caller took the tag away', 'a+c c', null],
    ['stays when a caller replaced the tag after the merge', 'a >c - c', null],
    ['stays when the merge was undone before', 'a+c >c >c+a c', null],
    ['gets it back after a merge that was undone and repeated', 'a >c >a >b >c', ['a']],
    ['gets it back twice next to its own', 'a+c >c >c+a >c', ['c', 'a']],
  ];
  for (const [title, history, expected] of cases)
    it(title, () => {
      expect(after(history)).to.deep.equal(expected);
    });

  const TIME = '2024-05-02T00:00:00+00:00';
  function typeAfter(enrichedAt: number | undefined, memory: object = {}, change = CHANGE): string | undefined {
    const tags = [tag('c')];
    const found = { enriched: true, enriched_at: TIME, entities: { tools: ['C'] } };
    const one = loaded({ tags, tag_prefixes: tagPrefixes(tags), ...found, ...memory });
    const history = { versions: historyOf('c'), enrichedAt };
    return decideReturn([{ loaded: one, history }], change, facts()).events[0]?.type;
  }

  it('is enriched again if enrichment found the other', () => {
    expect(typeAfter(15)).to.equal('memory.enrichment.requested');
    for (const position of [9, 10, 20, 21]) expect(typeAfter(position), `${position}`).to.equal(undefined);
    expect(typeAfter(15, { enriched_at: undefined }), 'changed since').to.equal(undefined);
    expect(typeAfter(15, { entities: { tools: ['Other'], people: ['C'] } })).to.equal(undefined);
    expect(typeAfter(15, { type: 'MetaPattern' })).to.equal(undefined);
  });

  it('follows times if its history lacks the enrichment', () => {
    const [mergedAt, undoneAt] = [UNDONE_AT, MERGED_AT];
    expect(typeAfter(undefined, {}, { ...CHANGE, mergedAt, undoneAt })).to.equal('memory.enrichment.requested');
    expect(typeAfter(undefined)).to.equal(undefined);
  });
});
