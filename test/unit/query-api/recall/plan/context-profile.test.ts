import { expect } from 'chai';
import {
  CONTEXT_TAG_LIMIT,
  CONTEXT_TYPE_LIMIT,
  contextProfile,
  PRIORITY_ID_LIMIT,
} from '../../../../../query-api/recall/plan/context-profile.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { numberedId } from '../memories.js';

const STYLE_TAGS = ['coding-style', 'preference:coding', 'preferences', 'style', 'style-guide'];
const languageOf = (request: RecallQuery, text: string | null = null): string | null | undefined =>
  contextProfile(request, text)?.language;

const LANGUAGES: readonly [request: RecallQuery, text: string | null, language: string | null | undefined][] = [
  [{ language: ' PY ' }, null, 'python'],
  [{ language: 'C++' }, null, 'cpp'],
  [{ language: 'haskell' }, null, 'haskell'],
  [{ language: 'go', context: 'rust', active_path: 'a.py' }, 'typescript', 'go'],
  [{ context: 'Golang', active_path: 'a.py' }, null, 'go'],
  [{ context: 'rust' }, null, 'rust'],
  [{ active_path: 'src/a.tsx' }, 'some python', 'typescript'],
  [{ active_path: 'C:\\work\\Main.CS ' }, null, 'csharp'],
  [{ active_path: 'lib.rs' }, null, 'rust'],
  [{ active_path: 'types.d.ts' }, null, 'typescript'],
  [{ active_path: 'go' }, null, undefined],
  [{ active_path: 'notes.md' }, null, undefined],
  [{ active_path: 'archive.py.gz' }, null, undefined],
  [{}, 'How do I write C#, again?', 'csharp'],
  [{}, 'errors in golang', 'go'],
  [{}, 'Which js bundler?', 'javascript'],
  [{}, 'When did Melanie go to the museum?', undefined],
  [{}, 'how does it go in rust today, with a swift answer, cc Ann', undefined],
  [{}, 'what happens in src/app/main.ts, and in build.py', undefined],
  [{}, 'Python: how is main.ts read', 'python'],
  [{}, 'pythonic javascripts', undefined],
  [{}, null, undefined],
];

describe('the context profile', () => {
  for (const [request, text, language] of LANGUAGES) {
    it(`reads ${String(language ?? 'no language')} from ${JSON.stringify({ ...request, text }).slice(0, 45)}`, () => {
      expect(languageOf(request, text)).to.equal(language);
    });
  }

  it('is null when the request does not say what the caller works on', () => {
    expect(
      contextProfile(
        { query: 'redis', tags: ['a'], context: ' ', context_tags: ['::'], priority_ids: ['no id'] },
        'redis',
      ),
    ).to.equal(null);
  });

  it('has the tags and types of a language and its style', () => {
    const profile = contextProfile({ language: 'python' }, null);
    expect(profile?.tags).to.deep.equal([...STYLE_TAGS, 'python', 'python-style', 'python:style'].sort());
    expect(profile?.types).to.deep.equal(['Preference', 'Style']);
  });

  for (const [request, text] of [
    [{}, 'what are our Style guidelines'],
    [{}, 'formatting'],
    [{ context: 'coding-style' }, null],
    [{ context: 'preferences' }, 'x'],
  ] as const) {
    it(`is about style for ${JSON.stringify({ ...request, text })}`, () => {
      expect(contextProfile(request, text)).to.deep.include({
        language: null,
        tags: STYLE_TAGS,
        types: ['Preference', 'Style'],
      });
    });
  }

  it('uses the context label as a tag, unless the label is about style', () => {
    expect(contextProfile({ context: 'Debugging' }, 'a stylish lintel')).to.deep.include({
      context: 'debugging',
      tags: ['debugging'],
      types: [],
    });
    expect(contextProfile({ context: 'style' }, null)?.tags).to.deep.equal(STYLE_TAGS);
  });

  it('adds the tags, types and ids that the caller names', () => {
    const [one, two] = [numberedId(1), numberedId(2)];
    const profile = contextProfile(
      {
        context_tags: ['B', 'a', 'b'],
        context_types: ['DECISION', 'habit'],
        priority_ids: [two.toUpperCase(), 'none', one, two],
      },
      null,
    );
    expect(profile).to.deep.include({
      language: null,
      context: null,
      tags: ['a', 'b'],
      types: ['Decision', 'Habit'],
      ids: [two, one],
    });
  });

  it('limits the number of tags, types and ids', () => {
    const many = Array.from({ length: 200 }, (_, index) => String(index + 1));
    const profile = contextProfile(
      { context_tags: many, context_types: many, priority_ids: many.map((_, index) => numberedId(index)) },
      null,
    );
    expect(profile?.tags).to.have.length(CONTEXT_TAG_LIMIT);
    expect(profile?.types).to.have.length(CONTEXT_TYPE_LIMIT);
    expect(profile?.ids).to.have.length(PRIORITY_ID_LIMIT);
  });

  it('ignores texts that are too long for a tag', () => {
    expect(
      contextProfile(
        { context: 'x'.repeat(257), language: 'y'.repeat(257), context_tags: ['z'.repeat(257), 'short'] },
        null,
      ),
    ).to.deep.include({
      language: null,
      context: null,
      tags: ['short'],
    });
  });
});
