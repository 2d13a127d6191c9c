import { expect } from 'chai';
import { DISABLED_BY_ADMINISTRATOR } from '../../../shared/contract/maintenance/webhooks.js';
import { CACHE_CLEANER, PROJECTOR_NAMES } from '../../../shared/contract/projector-names.js';
import { type GaugePorts, readGauges } from '../../../shared/journal/read-gauges.js';
import type { ProjectorState } from '../../../shared/ports/journal.js';
import type { Webhook } from '../../../shared/ports/webhooks.js';

const STATE: ProjectorState = {
  name: 'enricher',
  instance: 'one',
  position: 40,
  handled: 0,
  failed: 0,
  lastError: null,
  lastErrorAt: null,
  paused: false,
  stopped: false,
  heartbeatAt: '2024-01-01T00:00:00.000Z',
  heartbeatAgeMs: 10,
};

const CLEANED: ProjectorState = {
  ...STATE,
  name: CACHE_CLEANER,
  detail: { checked_at: '2024-01-01T00:00:00.000Z', used: 5, unused: 1, removed: 0 },
};

const WEBHOOK: Webhook = {
  id: '00000000-0000-4000-8000-000000000001',
  url: 'https://receiver.test/',
  description: '',
  types: [],
  tags: [],
  secret: '',
  previousSecret: null,
  previousSecretUntil: null,
  disabledReason: null,
  position: 40,
  revision: 1,
  failingSince: null,
  lastError: null,
  createdAt: '2024-01-01T00:00:00+00:00',
  updatedAt: '2024-01-01T00:00:00+00:00',
};

const PORTS: GaugePorts = {
  journal: {
    head: async () => 42,
    ageAfter: async () => 7_500,
    size: async () => ({ bytes: 8_192, deletedSubjects: 6 }),
  },
  projectorStates: { list: async () => [STATE, CLEANED], paused: async () => new Set() },
  deadLetters: { count: async (name) => (name === 'enricher' ? 2 : 0) },
  webhooks: {
    list: async () => [
      WEBHOOK,
      { ...WEBHOOK, failingSince: STATE.heartbeatAt },
      { ...WEBHOOK, disabledReason: 'The receiver answered 410' },
      { ...WEBHOOK, disabledReason: DISABLED_BY_ADMINISTRATOR },
    ],
  },
  outbox: { depth: async () => ({ pending: 3, applied: 4, dead: 1, oldestMs: 1_500, oldestDeadMs: 60_000 }) },
};

describe('gauges of the journal', () => {
  const valuesOf = async (ports: GaugePorts) =>
    new Map((await readGauges(ports)).map(({ name, labels = [], value }) => [[name, ...labels].join(' '), value]));

  it('say how far each projector is and what waits', async () => {
    const values = await valuesOf(PORTS);
    expect(Object.fromEntries(values)).to.include({
      palimpsest_journal_up: 1,
      palimpsest_journal_head_position: 42,
      palimpsest_journal_bytes: 8_192,
      palimpsest_journal_oldest_seconds: 7.5,
      palimpsest_deleted_subjects: 6,
      'palimpsest_projector_up enricher': 1,
      'palimpsest_projector_up vector-indexer': 0,
      'palimpsest_projector_position enricher': 40,
      'palimpsest_projector_lag_events enricher': 2,
      'palimpsest_projector_lag_seconds enricher': 7.5,
      'palimpsest_dead_letters enricher': 2,
      'palimpsest_outbox_events pending': 3,
      'palimpsest_outbox_events applied': 4,
      'palimpsest_outbox_events dead': 1,
      'palimpsest_outbox_oldest_seconds waiting': 1.5,
      'palimpsest_outbox_oldest_seconds dead': 60,
      'palimpsest_webhooks enabled': 2,
      'palimpsest_webhooks failing': 1,
      'palimpsest_webhooks disabled': 1,
      'palimpsest_webhooks given_up': 1,
      palimpsest_webhook_lag_seconds: 7.5,
      'palimpsest_embedding_cache_uses used': 5,
      'palimpsest_embedding_cache_uses unused': 1,
      'palimpsest_embedding_cache_uses removed': 0,
    });
    for (const name of PROJECTOR_NAMES) expect(values.has(`palimpsest_dead_letters ${name}`)).to.equal(true);
  });

  it('have no outbox where the journal is the stream', async () => {
    const { outbox, ...ports } = PORTS;
    const values = await valuesOf(ports);
    expect(outbox).to.not.equal(undefined);
    expect([...values.keys()].filter((name) => name.includes('outbox'))).to.deep.equal([]);
  });

  it('are only the sign that the journal is down while it is', async () => {
    const head = () => Promise.reject(new Error('connection refused'));
    const values = await valuesOf({ ...PORTS, journal: { ...PORTS.journal, head } });
    expect([...values]).to.deep.equal([['palimpsest_journal_up', 0]]);
  });

  it('do not wait for a journal that hangs', async () => {
    const head = () => new Promise<number>(() => undefined);
    const values = await valuesOf({ ...PORTS, journal: { ...PORTS.journal, head } });
    expect([...values]).to.deep.equal([['palimpsest_journal_up', 0]]);
  });
});
