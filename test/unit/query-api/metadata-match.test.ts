import { expect } from 'chai';
import { metadataMatch, metadataQuery } from '../../../query-api/recall/metadata-match.js';
import { metadataValues } from '../../../shared/text/metadata-values.js';

type Metadata = Readonly<Record<string, unknown>>;

const scoreOf = (query: string, metadata: Metadata): number =>
  metadataMatch(metadataQuery(query), metadataValues(metadata))?.score ?? 0;

const GOLDEN: readonly (readonly [query: string, metadata: Metadata, score: number])[] = [
  ['find memories from source agent codex', { source_agent: 'codex' }, 1],
  ['codex', { source_agent: 'codex' }, 0.95],
  ['what did codex say about caching strategies yesterday', { source_agent: 'codex' }, 0],
  ['repo verygoodplugins/automem', { repo: 'verygoodplugins/automem' }, 1],
  ['repo verygoodplugins/mcp-automem', { repo: 'verygoodplugins/automem' }, 0],
  ['deployment railway', { provider: 'railway' }, 0.85],
  ['tool npm', { tool: 'npm' }, 1],
  ['redis', { entities: { tools: ['Redis'] } }, 0],
  ['entities redis', { entities: { tools: ['Redis'] } }, 1],
  ['claude code sessions', { source: 'Claude Code' }, 0.15 + 0.45 + (0.2 * 2) / 3 + 0.15],
];

const RULES: readonly (readonly [rule: string, query: string, metadata: Metadata, score: number])[] = [
  ['one short word needs its field to be named', 'npm', { tool: 'npm' }, 0],
  ['one long word of several needs its field to be named', 'railway', { provider: 'railway cloud' }, 0],
  [
    'one long word of several is enough where its field is named',
    'provider railway',
    { provider: 'railway cloud' },
    0.15 + 0.225 + 0.2 + 0.2,
  ],
  ['a value beside the named field needs two words', 'tool railway', { provider: 'railway' }, 0],
  ['a value beside the named field counts less', 'tool claude code', { source: 'Claude Code' }, 0.95 * 0.6],
  [
    'a repository that stands whole in the query may have words beside it',
    'repo acme/web deploys',
    { repo: 'acme/web' },
    1,
  ],
  ['people are never searched', 'entities alice johnson', { entities: { people: ['Alice Johnson'] } }, 0],
  ['other fields are not searched', 'railway', { title: 'railway' }, 0],
  ['a list counts by its best value', 'codex', { source_agents: ['claude', 'codex'] }, 0.95],
  ['numbers are values', 'model 4711', { model: 4711 }, 1],
  ['objects are none', 'project atlas', { project: { name: 'atlas' } }, 0],
  ['a value of 97 characters is none', `project ${'a'.repeat(97)}`, { project: 'a'.repeat(97) }, 0],
  ['accents and case are no difference', 'project Café', { project: 'CAFE' }, 1],
  ['other scripts are words too', 'project 東京', { project: '東京' }, 1],
  ['a part of a word is no hit', 'github hubs', { source: 'hub' }, 0],
  ['nothing asked is nothing found', 'find all memories about the tool', { tool: 'tool' }, 0],
];

describe('a match of metadata', () => {
  for (const [query, metadata, score] of GOLDEN) {
    it(`of "${query}" with ${JSON.stringify(metadata)} is ${score.toFixed(4)}`, () =>
      expect(scoreOf(query, metadata)).to.be.closeTo(score, 1e-9));
  }

  for (const [rule, query, metadata, score] of RULES) {
    it(`is judged so that ${rule}`, () => expect(scoreOf(query, metadata)).to.be.closeTo(score, 1e-9));
  }

  it('names the value that decided', () => {
    const match = metadataMatch(
      metadataQuery('claude code sessions'),
      metadataValues({ project: 'sessions', source: 'Claude Code' }),
    );
    expect(match).to.include({ field: 'source', value: 'claude code' });
  });
});
