/** Rows on the context of the caller: how it is recognised, its score bonus, and the memories that it adds. */
import { absent, counting, holding, near } from './pattern.js';
import type { Row, Table } from './row.js';

const SOUP = 'tags=desk&adaptive_floor=no&query=soup';
const BLANKS = 'tags=desk&query=four+blanks';
const bonus = (of: string, value: number): Row['shows'] => ({
  results: { 0: { id: `{${of}}`, score_components: { context: near(value) } } },
});
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  python: ['py', 'Python'],
  typescript: ['ts', 'tsx'],
  javascript: ['js', 'jsx'],
  go: ['golang'],
  rust: ['rust'],
  java: ['java'],
  csharp: ['c%23', 'cs'],
  cpp: ['c%2B%2B', 'cc', 'cxx'],
  swift: ['swift'],
};
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  python: ['py'],
  typescript: ['ts', 'tsx'],
  javascript: ['js', 'jsx'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  csharp: ['cs'],
  cpp: ['cpp', 'cc', 'cxx'],
  swift: ['swift'],
};

export const contexts: Table = {
  subject: 'recall context',
  scope: 'desk',
  memories: {
    soup: { content: 'Soup for lunch', tags: ['lunch'], importance: 0.5 },
    stew: { content: 'Soup with stew', tags: ['lunch', 'category'], importance: 0.4 },
    indent: { content: 'Four blanks', tags: ['lang/python'], type: 'Style', importance: 0.3 },
    linter: { content: 'The linter decides', metadata: { made: 'in rust' }, importance: 0.3 },
    traces: { content: 'Traces first', tags: ['debugging:ops'], timestamp: '2020-02-01T00:00:00Z', importance: 0.9 },
    revert: { content: 'Revert a release', tags: ['debugging:ops'], importance: 0.8 },
    breaks: { content: 'Breakpoints last', tags: ['debugging:ide'], importance: 0.7 },
    prints: { content: 'Prints at most', tags: ['debugging:ide'], importance: 0.6 },
    older: { content: 'Probe with a needle', tags: ['probe'], importance: 0.5 },
    newer: { content: 'Probe with a laser', tags: ['probe'], importance: 0.4 },
    lapsed: { content: 'Probe by hand', tags: ['probe'], importance: 0.9, t_invalid: '2020-06-01T00:00:00Z' },
  },
  associations: [['older', 'EVOLVED_INTO', 'newer', 0.5]],
  rows: [
    ...Object.entries(LANGUAGES).map(([language, names]): Row => ({
      fact: `recognises ${language} by ${names.join(', ')}`,
      ask: names.flatMap((name) => [`${SOUP}&language=${name}`, `${SOUP}&context=${name}`]),
      shows: { context_priority: { language } },
    })),
    {
      fact: 'recognises a language by the file extension',
      ask: Object.values(EXTENSIONS)
        .flat()
        .map((extension) => `${SOUP}&active_path=src/main.${extension}`),
      shows: { context_priority: { language: (value) => String(value) in EXTENSIONS } },
    },
    {
      fact: 'recognises no language by other extensions',
      ask: ['a.md', 'py', 'src.py/readme', 'a.'].map((path) => `${SOUP}&active_path=${path}`),
      shows: { context_priority: absent },
    },
    {
      fact: 'recognises a language by a word of the query',
      ask: 'tags=desk&query=soup+in+TypeScript',
      shows: { context_priority: { language: 'typescript' } },
    },
    {
      fact: 'recognises no language by an ordinary word',
      ask: ['how+does+it+go', 'swift+soup', 'rust+on+the+pot'].map((query) => `tags=desk&query=${query}`),
      shows: { context_priority: absent },
    },
    {
      fact: 'prefers language, then context, then path, then the query',
      ask: ['language=go&context=py&active_path=a.rs', 'context=golang&active_path=a.rs', 'active_path=a.go'].map(
        (hints) => `${SOUP}+python&${hints}`,
      ),
      shows: { context_priority: { language: 'go' } },
    },
    {
      fact: 'turns a language into priority tags and the Style type',
      ask: `${SOUP}&language=rust`,
      shows: {
        context_priority: {
          priority_tags: [
            'coding-style',
            'preference:coding',
            'preferences',
            'rust',
            'rust-style',
            'rust:style',
            'style',
            'style-guide',
          ],
          priority_types: ['Preference', 'Style'],
        },
      },
    },
    {
      fact: 'turns style words in the context or query into the Style type',
      ask: [
        'style',
        'Styles',
        'guideline',
        'guidelines',
        'pep8',
        'formatting',
        'lint',
        'preference',
        'preferences',
      ].flatMap((word) => [`${SOUP}&context=our+${word}`, `${SOUP}+${word}`]),
      shows: {
        context_priority: { language: null, priority_types: ['Preference', 'Style'], priority_tags: counting(5) },
      },
    },
    {
      fact: 'turns another context label into a tag',
      ask: `${SOUP}&context=Debugging`,
      shows: { context_priority: { context: 'debugging', priority_tags: ['debugging'], priority_types: [] } },
    },
    {
      fact: 'does not turn a style label into a tag',
      ask: `${SOUP}&context=lint`,
      shows: { context_priority: { priority_tags: counting(5) } },
    },
    {
      fact: 'is absent for empty values',
      ask: [`${SOUP}&context=&context_tags=,&priority_ids=nonsense`, SOUP],
      shows: { context_priority: absent },
    },
    {
      fact: 'adds 0.45 for a matching tag, also as one word of several',
      ask: [`${BLANKS}&context_tags=LANG:Python`, `${BLANKS}&context_tags=python`],
      shows: bonus('indent', 0.45),
    },
    {
      fact: 'does not match a part of a word',
      ask: `${SOUP}&context_tags=cat`,
      shows: { results: { 0: { score_components: { context: 0 } } } },
    },
    { fact: 'adds 0.25 for a matching type', ask: `${BLANKS}&context_types=STYLE`, shows: bonus('indent', 0.25) },
    {
      fact: 'adds 0.2 for the language in the metadata',
      ask: 'tags=desk&query=the+linter+decides&language=rust',
      shows: bonus('linter', 0.2),
    },
    { fact: 'adds 0.9 for a priority id', ask: `${SOUP}&priority_ids={prints}`, shows: bonus('prints', 0.9) },
    {
      fact: 'adds the sum of all bonuses',
      ask: `${SOUP}&language=python&priority_ids={indent}`,
      shows: bonus('indent', 0.45 + 0.25 + 0.9),
    },
    {
      fact: 'adds the three most important matches if no result matches',
      without: 'vectors',
      ask: `${SOUP}&context=debugging&limit=9`,
      // Without vectors a full match by words is 0.35, and the context is 0.45.
      finds: ['traces', 'revert', 'breaks', 'soup', 'stew'],
      shows: { context_priority: { injected: true } },
    },
    {
      fact: 'adds at most as many memories as the limit',
      without: 'vectors',
      ask: 'tags=desk&query=xylophone&context=debugging&limit=2',
      finds: ['traces', 'revert'],
    },
    {
      fact: 'adds no memories if a result matches',
      without: 'vectors',
      ask: `${SOUP}&context=debugging&context_tags=lunch`,
      finds: ['soup', 'stew'],
      shows: { context_priority: { injected: false } },
    },
    {
      fact: 'applies the filters to added memories',
      without: 'vectors',
      ask: ['exclude_tags=debugging', 'end=2019-12-31', 'tags=lunch&tag_mode=all'].map(
        (filter) => `${SOUP}&context=debugging&${filter}`,
      ),
      shows: { context_priority: { injected: false } },
    },
    {
      fact: 'applies the filters to priority ids',
      ask: ['exclude_tags=debugging', 'tags=lunch&tag_mode=all', 'end=2020-01-15'].map(
        (filter) => `${SOUP}&priority_ids={traces}&limit=1&${filter}`,
      ),
      finds: ['soup'],
    },
    {
      fact: 'puts priority ids first in the order of the request',
      ask: ['score', 'time_desc', 'time_asc'].map(
        (sort) => `${SOUP}&priority_ids={stew},{prints}&limit=2&sort=${sort}`,
      ),
      finds: ['stew', 'prints'],
    },
    {
      fact: 'applies the limit to priority ids',
      ask: `${SOUP}&priority_ids={prints},{stew},{soup}&limit=1`,
      finds: ['prints'],
    },
    {
      fact: 'replaces a lapsed priority id by its successor',
      ask: `${SOUP}&priority_ids={lapsed},{older}&limit=1`,
      finds: ['newer'],
      shows: { results: [{ state_replaces: '{older}' }] },
    },
    {
      fact: 'adds the successor instead of a lapsed memory',
      without: 'vectors',
      ask: `${SOUP}&context_tags=probe`,
      finds: ['newer', 'soup', 'stew'],
    },
    {
      fact: 'shows at most ten priority tags',
      ask: `${SOUP}&context_tags=${Array.from({ length: 30 }, (_, index) => `t${index + 10}`)}`,
      shows: { context_priority: { priority_tags: counting(10) } },
    },
    {
      fact: 'combines context_tags with the tags of the language',
      ask: `${SOUP}&language=go&context_tags=Zebra`,
      shows: { context_priority: { priority_tags: holding('zebra', 'go') } },
    },
  ],
};
