import { expect } from 'chai';
import { metadataMatch, metadataQuery } from '../../../../../query-api/recall/retrieve/metadata-match.js';
import { metadataValues } from '../../../../../shared/text/metadata-values.js';

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
  ['scores 0 for a short word without its field name', 'npm', { tool: 'npm' }, 0],
  ['scores 0 for one of several words without its field name', 'railway', { provider: 'railway cloud' }, 0],
  [
    'accepts one long word of several with its field name',
    'provider railway',
    { provider: 'railway cloud' },
    0.15 + 0.225 + 0.2 + 0.2,
  ],
  ['needs two words in a field other than the named one', 'tool railway', { provider: 'railway' }, 0],
  ['scores a field other than the named one lower', 'tool claude code', { source: 'Claude Code' }, 0.95 * 0.6],
  ['accepts further words next to a whole repository name', 'repo acme/web deploys', { repo: 'acme/web' }, 1],
  ['ignores people', 'entities alice johnson', { entities: { people: ['Alice Johnson'] } }, 0],
  ['ignores other fields', 'railway', { title: 'railway' }, 0],
  ['uses the best value of a list', 'codex', { source_agents: ['claude', 'codex'] }, 0.95],
  ['matches numbers', 'model 4711', { model: 4711 }, 1],
  ['ignores objects', 'project atlas', { project: { name: 'atlas' } }, 0],
  ['ignores a value of 97 characters', `project ${'a'.repeat(97)}`, { project: 'a'.repeat(97) }, 0],
  ['ignores accents and case', 'project Café', { project: 'CAFE' }, 1],
  ['matches words in other scripts', 'project 東京', { project: '東京' }, 1],
  ['does not match a part of a word', 'github hubs', { source: 'hub' }, 0],
  ['scores 0 for a query without distinctive words', 'find all memories about the tool', { tool: 'tool' }, 0],
];

describe('metadata match', () => {
  for (const [query, metadata, score] of GOLDEN) {
    it(`is ${score.toFixed(2)} of ${JSON.stringify(metadata)}: ${query.slice(0, 28)}`, () =>
      expect(scoreOf(query, metadata)).to.be.closeTo(score, 1e-9));
  }

  for (const [rule, query, metadata, score] of RULES) {
    it(rule, () => expect(scoreOf(query, metadata)).to.be.closeTo(score, 1e-9));
  }

  it('returns the best matching value', () => {
    const match = metadataMatch(
      metadataQuery('claude code sessions'),
      metadataValues({ project: 'sessions', source: 'Claude Code' }),
    );
    expect(match).to.include({ field: 'source', value: 'claude code' });
  });
});
