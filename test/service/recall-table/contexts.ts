/** Rows on what the caller works on: how it is recognised, what it is worth, and what it brings in. */
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
  subject: 'what the caller works on',
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
      fact: `a caller in ${language} says so by ${names.join(', ')}`,
      ask: names.flatMap((name) => [`${SOUP}&language=${name}`, `${SOUP}&context=${name}`]),
      shows: { context_priority: { language } },
    })),
    {
      fact: 'the extension of a file tells the language',
      ask: Object.values(EXTENSIONS)
        .flat()
        .map((extension) => `${SOUP}&active_path=src/main.${extension}`),
      shows: { context_priority: { language: (value) => String(value) in EXTENSIONS } },
    },
    {
      fact: 'other extensions tell nothing',
      ask: ['a.md', 'py', 'src.py/readme', 'a.'].map((path) => `${SOUP}&active_path=${path}`),
      shows: { context_priority: absent },
    },
    {
      fact: 'a word of the query tells the language',
      ask: 'tags=desk&query=soup+in+TypeScript',
      shows: { context_priority: { language: 'typescript' } },
    },
    {
      fact: 'an ordinary word of the query tells none',
      ask: ['how+does+it+go', 'swift+soup', 'rust+on+the+pot'].map((query) => `tags=desk&query=${query}`),
      shows: { context_priority: absent },
    },
    {
      fact: 'the language outright goes before the label, the label before the path, the path before the query',
      ask: ['language=go&context=py&active_path=a.rs', 'context=golang&active_path=a.rs', 'active_path=a.go'].map(
        (hints) => `${SOUP}+python&${hints}`,
      ),
      shows: { context_priority: { language: 'go' } },
    },
    {
      fact: 'a language stands for tags and for style',
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
      fact: 'words of style in the label or the query stand for style',
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
      fact: 'a label of its own is a tag',
      ask: `${SOUP}&context=Debugging`,
      shows: { context_priority: { context: 'debugging', priority_tags: ['debugging'], priority_types: [] } },
    },
    {
      fact: 'a label about style is no tag',
      ask: `${SOUP}&context=lint`,
      shows: { context_priority: { priority_tags: counting(5) } },
    },
    {
      fact: 'nothing at all is no context',
      ask: [`${SOUP}&context=&context_tags=,&priority_ids=nonsense`, SOUP],
      shows: { context_priority: absent },
    },
    {
      fact: 'a tag that fits is worth 0.45, whatever its delimiters, as one word of several',
      ask: [`${BLANKS}&context_tags=LANG:Python`, `${BLANKS}&context_tags=python`],
      shows: bonus('indent', 0.45),
    },
    {
      fact: 'a part of a word does not fit',
      ask: `${SOUP}&context_tags=cat`,
      shows: { results: { 0: { score_components: { context: 0 } } } },
    },
    { fact: 'a type that fits is worth 0.25', ask: `${BLANKS}&context_types=STYLE`, shows: bonus('indent', 0.25) },
    {
      fact: 'the language in the metadata is worth 0.2',
      ask: 'tags=desk&query=the+linter+decides&language=rust',
      shows: bonus('linter', 0.2),
    },
    { fact: 'a memory that is named is worth 0.9', ask: `${SOUP}&priority_ids={prints}`, shows: bonus('prints', 0.9) },
    {
      fact: 'all of it together is worth the sum',
      ask: `${SOUP}&language=python&priority_ids={indent}`,
      shows: bonus('indent', 0.45 + 0.25 + 0.9),
    },
    {
      fact: 'where nothing fits, three of the most important that do are brought in',
      without: 'vectors',
      ask: `${SOUP}&context=debugging&limit=9`,
      finds: ['soup', 'stew', 'traces', 'revert', 'breaks'],
      shows: { context_priority: { injected: true } },
    },
    {
      fact: 'no more are brought in than are asked for',
      without: 'vectors',
      ask: 'tags=desk&query=xylophone&context=debugging&limit=2',
      finds: ['traces', 'revert'],
    },
    {
      fact: 'nothing is brought in where something fits',
      without: 'vectors',
      ask: `${SOUP}&context=debugging&context_tags=lunch`,
      finds: ['soup', 'stew'],
      shows: { context_priority: { injected: false } },
    },
    {
      fact: 'what is brought in keeps to the filters',
      without: 'vectors',
      ask: ['exclude_tags=debugging', 'end=2019-12-31', 'tags=lunch&tag_mode=all'].map(
        (filter) => `${SOUP}&context=debugging&${filter}`,
      ),
      shows: { context_priority: { injected: false } },
    },
    {
      fact: 'a memory that is named keeps to the filters',
      ask: ['exclude_tags=debugging', 'tags=lunch&tag_mode=all', 'end=2020-01-15'].map(
        (filter) => `${SOUP}&priority_ids={traces}&limit=1&${filter}`,
      ),
      finds: ['stew'],
    },
    {
      fact: 'named memories come first in the order of the request, whatever the order of the rest',
      ask: ['score', 'time_desc', 'time_asc'].map(
        (sort) => `${SOUP}&priority_ids={stew},{prints}&limit=2&sort=${sort}`,
      ),
      finds: ['stew', 'prints'],
    },
    {
      fact: 'the limit cuts named memories as well',
      ask: `${SOUP}&priority_ids={prints},{stew},{soup}&limit=1`,
      finds: ['prints'],
    },
    {
      fact: 'named memories that have lapsed do not come, and give way to their successor',
      ask: `${SOUP}&priority_ids={lapsed},{older}&limit=1`,
      finds: ['newer'],
      shows: { results: [{ state_replaces: '{older}' }] },
    },
    {
      fact: 'what has lapsed is not brought in, but what succeeded it',
      without: 'vectors',
      ask: `${SOUP}&context_tags=probe`,
      finds: ['soup', 'stew', 'newer'],
    },
    {
      fact: 'ten priority tags are shown',
      ask: `${SOUP}&context_tags=${Array.from({ length: 30 }, (_, index) => `t${index + 10}`)}`,
      shows: { context_priority: { priority_tags: counting(10) } },
    },
    {
      fact: 'context_tags join those of the language',
      ask: `${SOUP}&language=go&context_tags=Zebra`,
      shows: { context_priority: { priority_tags: holding('zebra', 'go') } },
    },
  ],
};
