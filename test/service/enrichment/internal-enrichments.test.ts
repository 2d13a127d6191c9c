/** POST /internal/enrichments: accepts and refuses commands of an enricher in another process. */
import { expect } from 'chai';
import { createReceiveCommands } from '../../../command-api/receive-commands.js';
import { createCommandSender } from '../../../shared/client/command-sender.js';
import {
  ENRICHMENT_COMMANDS_LIMIT,
  ENRICHMENT_SCHEMAS,
  type EnrichmentCommand,
  type EnrichmentOutcome,
  type RecordEnrichments,
} from '../../../shared/contract/enrichment.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/checks/rejection.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';
import { memoryId } from '../../unit/command-api/fixtures.js';

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

describe('POST /internal/enrichments', () => {
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
      recordEnrichments: createReceiveCommands<EnrichmentCommand, EnrichmentOutcome>({
        schemas: ENRICHMENT_SCHEMAS,
        record: (commands) => record(commands),
      }),
    };
    edge = await openEdge({ handlers, tokens: { api: [], admin: null, internal: INTERNAL } });
  });
  afterEach(() => edge.close());

  const post = (body: unknown, token = INTERNAL) =>
    edge.post('/internal/enrichments', body, { 'x-internal-token': token });

  it('records the commands unchanged and returns one outcome for each', async () => {
    const commands = [enriched, failed, pattern];
    expect(await createCommandSender({ urls: [edge.url], token: INTERNAL }).recordEnrichments(commands)).to.deep.equal([
      'done',
      'outdated',
      'done',
    ]);
    expect(received).to.deep.equal(commands);
  });

  it('accepts only the internal token', async () => {
    expect((await post({ commands: [enriched] }, 'another')).status).to.equal(401);
    expect(received).to.deep.equal([]);
  });

  it('passes a retryable failure to the sender', async () => {
    record = () => Promise.reject(new DependencyError('graph', 'The graph is down'));
    const error = await rejection(
      createCommandSender({ urls: [edge.url], token: INTERNAL }).recordEnrichments([enriched]),
    );
    expect(error).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'commands', isRetryable: true });
  });

  const wrong: readonly (readonly [string, object, string])[] = [
    ['an unknown kind', { ...enriched, kind: 'guessed' }, 'commands[1].kind'],
    ['no version', { ...enriched, expectedVersion: undefined }, 'commands[1].expectedVersion'],
    ['an invalid id', { ...failed, id: 'nonsense' }, 'commands[1].id'],
    [
      'a type that is not derived',
      { ...enriched, derived: [{ target: memoryId(2), type: 'RELATES_TO', strength: 1, properties: {} }] },
      'commands[1].derived[0].type',
    ],
    [
      'a strength above 1',
      { ...enriched, derived: [{ target: memoryId(2), type: 'SIMILAR_TO', strength: 1.1, properties: {} }] },
      'commands[1].derived[0].strength',
    ],
    ['entities that are not lists', { ...enriched, entities: { people: 'Ann' } }, 'commands[1].entities'],
    ['an unknown property', { ...failed, summary: 'x' }, 'commands[1].summary'],
    ['a pattern without content', { ...pattern, content: '' }, 'commands[1].content'],
    [
      'a pattern with too much metadata',
      { ...pattern, metadata: { long: 'x'.repeat(70_000) } },
      'commands[1].metadata',
    ],
  ];
  for (const [title, command, field] of wrong) {
    it(`refuses ${title} and names the field`, async () => {
      const response = await post({ commands: [enriched, command] });
      expect(response.status).to.equal(400);
      expect(((await response.json()) as { readonly field: string }).field).to.match(
        new RegExp(`^${field.replaceAll('[', '\\[').replaceAll(']', '\\]')}`, 'u'),
      );
      expect(received).to.deep.equal([]);
    });
  }

  for (const [title, body] of [
    ['an empty list', { commands: [] }],
    ['commands that are not a list', { commands: 'x' }],
    ['a body without commands', {}],
    ['a command that is not an object', { commands: [5] }],
    ['more commands than the limit', { commands: Array.from({ length: ENRICHMENT_COMMANDS_LIMIT + 1 }, () => failed) }],
  ] as const) {
    it(`refuses ${title}`, async () => expect((await post(body)).status).to.equal(400));
  }
});
