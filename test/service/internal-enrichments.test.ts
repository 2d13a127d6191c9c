/** POST /internal/enrichments: what the enricher of another process sends, and what is refused of it. */
import { expect } from 'chai';
import { createReceiveEnrichments } from '../../command-api/enrichment/receive-enrichments.js';
import { createCommandSender } from '../../shared/client/create-command-sender.js';
import {
  ENRICHMENT_COMMANDS_LIMIT,
  type EnrichmentCommand,
  type RecordEnrichments,
} from '../../shared/contract/enrichment.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { openEdge, type Edge } from '../support/edge.js';
import { rejection } from '../support/rejection.js';
import { memoryId } from '../unit/command-api/fixtures.js';

const INTERNAL = 'a-token-between-processes';

const shared = { id: memoryId(1), expectedVersion: 2, causationId: memoryId(99) };
const enriched: EnrichmentCommand = {
  ...shared,
  kind: 'enriched',
  entities: { people: ['Ann Lee'] },
  summary: null,
  findings: { temporal_links: 1 },
  derived: [{ target: memoryId(2), type: 'PRECEDED_BY', strength: 0.5, properties: { count: 1 } }],
};
const failed: EnrichmentCommand = { ...shared, kind: 'failed', attempts: 3, error: 'no answer' };
const pattern: EnrichmentCommand = {
  ...shared,
  kind: 'pattern',
  expectedVersion: 0,
  content: 'Deploys on Friday',
  confidence: 0.4,
  metadata: {},
};

describe('the enrichments that another process sends', () => {
  let edge: Edge;
  let received: EnrichmentCommand[];
  let record: RecordEnrichments;
  beforeEach(async () => {
    received = [];
    record = async (commands) => {
      received.push(...commands);
      return commands.map(({ kind }) => (kind === 'failed' ? 'outdated' : 'done'));
    };
    const handlers = {
      recordEnrichments: createReceiveEnrichments({ recordEnrichments: (commands) => record(commands) }),
    };
    edge = await openEdge({ handlers, tokens: { api: [], admin: null, internal: INTERNAL } });
  });
  afterEach(() => edge.close());

  const post = (body: unknown, token = INTERNAL) =>
    edge.post('/internal/enrichments', body, { 'x-internal-token': token });

  it('are handed over as they were, and each has its outcome in the answer', async () => {
    const commands = [enriched, failed, pattern];
    expect(await createCommandSender({ urls: [edge.url], token: INTERNAL }).recordEnrichments(commands)).to.deep.equal([
      'done',
      'outdated',
      'done',
    ]);
    expect(received).to.deep.equal(commands);
  });

  it('come with the internal token alone', async () => {
    expect((await post({ commands: [enriched] }, 'another')).status).to.equal(401);
    expect(received).to.deep.equal([]);
  });

  it('fail as the command side does, for the sender to come again', async () => {
    record = () => Promise.reject(new DependencyError('graph', 'The graph is away'));
    const error = await rejection(
      createCommandSender({ urls: [edge.url], token: INTERNAL }).recordEnrichments([enriched]),
    );
    expect(error).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'commands', isRetryable: true });
  });

  const wrong: readonly (readonly [string, object, string])[] = [
    ['a kind that nobody knows', { ...enriched, kind: 'guessed' }, 'commands[1].kind'],
    ['no version', { ...enriched, expectedVersion: undefined }, 'commands[1].expectedVersion'],
    ['an id that is none', { ...failed, id: 'nonsense' }, 'commands[1].id'],
    [
      'a type that is not derived',
      { ...enriched, derived: [{ target: memoryId(2), type: 'RELATES_TO', strength: 1, properties: {} }] },
      'commands[1].derived[0].type',
    ],
    [
      'more strength than there is',
      { ...enriched, derived: [{ target: memoryId(2), type: 'SIMILAR_TO', strength: 1.1, properties: {} }] },
      'commands[1].derived[0].strength',
    ],
    ['entities that are no lists', { ...enriched, entities: { people: 'Ann' } }, 'commands[1].entities'],
    ['a property that nobody knows', { ...failed, summary: 'x' }, 'commands[1].summary'],
    ['a pattern without words', { ...pattern, content: '' }, 'commands[1].content'],
    [
      'a pattern with more metadata than a memory may have',
      { ...pattern, metadata: { long: 'x'.repeat(70_000) } },
      'commands[1].metadata',
    ],
  ];
  for (const [title, command, field] of wrong) {
    it(`are refused with ${title}, all of them, and the field is named`, async () => {
      const response = await post({ commands: [enriched, command] });
      expect(response.status).to.equal(400);
      expect(((await response.json()) as { readonly field: string }).field).to.match(
        new RegExp(`^${field.replaceAll('[', '\\[').replaceAll(']', '\\]')}`, 'u'),
      );
      expect(received).to.deep.equal([]);
    });
  }

  for (const [title, body] of [
    ['none', { commands: [] }],
    ['no list of them', { commands: 'x' }],
    ['nothing', {}],
    ['what is no object', { commands: [5] }],
    ['more than a call holds', { commands: Array.from({ length: ENRICHMENT_COMMANDS_LIMIT + 1 }, () => failed) }],
  ] as const) {
    it(`are refused when there is ${title}`, async () => expect((await post(body)).status).to.equal(400));
  }
});
