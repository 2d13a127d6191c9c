/** Rows on metadata matches: the values that match a query, their score, and the memories that they add. */
import { METADATA_FIELDS } from '../../../../shared/contract/metadata-fields.js';
import { near } from './pattern.js';
import type { Row, Stored, Table } from './row.js';

const withMetadata = (
  tag: string,
  metadata: Readonly<Record<string, unknown>>,
  fields: Partial<Stored> = {},
): Stored => ({
  content: `Something of ${tag}`,
  tags: [tag],
  metadata,
  ...fields,
});
const scored = (fact: string, tag: string, query: string, score: number): Row => ({
  fact: `gives ${score} to ${fact}`,
  ask: `tags=${tag}&query=${encodeURIComponent(query)}`,
  shows: { results: [{ score_components: { metadata: near(score, 1e-4) } }] },
});
const FIELDS = METADATA_FIELDS.filter((field) => field !== 'entities');
const admitting = (count: number) => (results: unknown) =>
  (results as readonly { score_components: { metadata: number } }[]).filter(
    ({ score_components }) => score_components.metadata > 0,
  ).length === count;

export const metadata: Table = {
  subject: 'recall metadata match',
  scope: 'notes',
  memories: {
    agent: withMetadata('m-agent', { source_agent: 'codex' }),
    repo: withMetadata('m-repo', { repo: 'verygoodplugins/automem' }),
    other: withMetadata('m-other', { repo: 'verygoodplugins/mcp-automem' }),
    provider: withMetadata('m-provider', { provider: 'railway' }),
    tool: withMetadata('m-tool', { tool: 'npm' }),
    tools: withMetadata('m-tools', { entities: { tools: ['Redis'], people: ['Quentin'] } }),
    source: withMetadata('m-source', { source: 'Claude Code' }),
    list: withMetadata('m-list', { applies_to: ['kiosks', 7, 'terminals'], trigger: { on: 'walrus' } }),
    ...Object.fromEntries(
      FIELDS.map((field) => [`field ${field}`, withMetadata(`f-${field}`, { [field]: 'zeppelin' })]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `many${index}`,
        { content: `Observation ${index} of the sky`, tags: ['m-many'], metadata: { source_agent: 'stargazer' } },
      ]),
    ),
    dated: withMetadata('m-dated', { tool: 'quagga' }, { timestamp: '2018-03-05T10:00:00Z' }),
    lapsed: withMetadata(
      'm-lapsed',
      { tool: 'quagga' },
      { content: 'Rows are locked', t_invalid: '2021-01-01T00:00:00Z' },
    ),
    successor: withMetadata('m-next', {}, { content: 'All is locked at once' }),
  },
  associations: [['lapsed', 'INVALIDATED_BY', 'successor', 0.9]],
  rows: [
    scored('a field name with its value', 'm-agent', 'find memories from source agent codex', 1),
    scored('a value alone', 'm-agent', 'codex', 0.95),
    scored('a value among other words', 'm-agent', 'what did codex say about caching strategies yesterday', 0),
    scored('a full repository name', 'm-repo', 'repo verygoodplugins/automem', 1),
    scored('another repository of the same owner', 'm-repo', 'repo verygoodplugins/mcp-automem', 0),
    scored('a repository name with all words', 'm-other', 'repo verygoodplugins/automem', 0.85),
    scored('a long exact value in a short query', 'm-provider', 'deployment railway', 0.85),
    scored('a short value with its field name', 'm-tool', 'tool npm', 1),
    scored('a short value alone', 'm-tool', 'npm', 0),
    scored('an entity without its field name', 'm-tools', 'redis', 0),
    scored('an entity with its field name', 'm-tools', 'entities redis', 1),
    scored('a person among the entities', 'm-tools', 'entities quentin', 0),
    scored('two words of one value', 'm-source', 'claude code sessions', 0.8833),
    scored('a list item', 'm-list', 'terminals', 0.95),
    scored('a value in an object', 'm-list', 'walrus', 0),
    ...FIELDS.map((field) => scored(`the field ${field}`, `f-${field}`, 'zeppelin', 0.95)),
    {
      fact: 'ignores accents',
      ask: 'tags=m-agent&query=%C4%87odex',
      shows: { results: [{ score_components: { metadata: near(0.95) } }] },
    },
    {
      fact: 'adds memories that words do not find',
      without: 'vectors',
      ask: 'tags=notes&query=zeppelin&limit=20',
      shows: { results: admitting(10), count: 10 },
    },
    {
      fact: 'adds up to the limit',
      without: 'vectors',
      ask: 'tags=notes&query=source+agent+stargazer&limit=3',
      shows: { results: admitting(3) },
    },
    {
      fact: 'applies tags, exclusions and window to added memories',
      without: 'vectors',
      ask: ['tags=m-dated&query=quagga', 'query=quagga&exclude_tags=m-la,m-ne', 'query=quagga&time_query=march+2018'],
      finds: ['dated'],
    },
    {
      fact: 'adds the successor instead of a lapsed memory',
      without: 'vectors',
      ask: 'tags=m-lapsed&tags=m-next&query=tool+quagga',
      finds: ['successor'],
    },
    {
      fact: 'adds lapsed memories unchanged in history mode',
      without: 'vectors',
      ask: 'tags=m-lapsed&query=tool+quagga&state_mode=history',
      finds: ['lapsed'],
      shows: { results: [{ match_type: 'metadata' }] },
    },
    {
      fact: 'has no effect on a listing',
      ask: ['tags=m-agent&query=*', 'tags=m-agent'],
      shows: { results: [{ score_components: { metadata: 0 } }] },
    },
  ],
};
