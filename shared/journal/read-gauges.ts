/**
 * The gauges of the whole service that are in the journal and its side tables. One process reports them, not each
 * replica.
 */
import { DISABLED_BY_ADMINISTRATOR } from '../contract/maintenance/webhooks.js';
import { CACHE_CLEANER, PROJECTOR_NAMES } from '../contract/projector-names.js';
import { withinDeadline } from '../kernel/concurrency/within-deadline.js';
import type { GaugeValue } from '../kernel/metrics/metrics.js';
import type { DeadLetters, JournalReader, NewProjectorState, ProjectorStates } from '../ports/journal.js';
import type { OutboxDepth, OutboxReader } from '../ports/outbox.js';
import type { Webhook, Webhooks } from '../ports/webhooks.js';
import { type ObservedProjector, observeProjectors } from './observe-projectors.js';

/** Below the deadline of a scrape, so that a scrape also says that the journal did not answer. */
const ANSWER_MS = 2_000;

export type GaugePorts = {
  readonly journal: Pick<JournalReader, 'head' | 'ageAfter' | 'size'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'paused'>;
  readonly deadLetters: Pick<DeadLetters, 'count'>;
  readonly webhooks: Pick<Webhooks, 'list'>;
  /** Absent where the journal itself is the stream. */
  readonly outbox?: Pick<OutboxReader, 'depth'>;
};

/** Never rejects: without an answer `palimpsest_journal_up` is 0 and the other gauges are absent. */
export async function readGauges(ports: GaugePorts): Promise<readonly GaugeValue[]> {
  try {
    const gauges = await withinDeadline(readAll(ports), { milliseconds: ANSWER_MS, name: 'The journal' });
    return [{ name: 'palimpsest_journal_up', value: 1 }, ...gauges];
  } catch {
    return [{ name: 'palimpsest_journal_up', value: 0 }];
  }
}

/**
 * For a process on standby: only that the journal does not answer it, so that an outage is seen even when no process
 * leads. Never rejects.
 */
export async function readOutage(journal: { readonly ping: () => Promise<unknown> }): Promise<readonly GaugeValue[]> {
  try {
    await withinDeadline(journal.ping(), { milliseconds: ANSWER_MS, name: 'The journal' });
    return [];
  } catch {
    return [{ name: 'palimpsest_journal_up', value: 0 }];
  }
}

async function readAll(ports: GaugePorts): Promise<readonly GaugeValue[]> {
  const { journal, projectorStates, deadLetters, webhooks, outbox } = ports;
  const [states, listed] = await Promise.all([projectorStates.list(), webhooks.list()]);
  const enabled = listed.filter(({ disabledReason }) => disabledReason === null);
  const [{ head, projectors }, letters, depth, size, oldestMs, webhookLagMs] = await Promise.all([
    observeProjectors(states, { journal, projectorStates }),
    Promise.all(PROJECTOR_NAMES.map((name) => deadLetters.count(name))),
    outbox?.depth(),
    journal.size(),
    journal.ageAfter(0),
    enabled.length === 0 ? 0 : journal.ageAfter(Math.min(...enabled.map(({ position }) => position))),
  ]);
  return [
    { name: 'palimpsest_journal_head_position', value: head },
    { name: 'palimpsest_journal_bytes', value: size.bytes },
    { name: 'palimpsest_journal_oldest_seconds', value: (oldestMs ?? 0) / 1_000 },
    { name: 'palimpsest_deleted_subjects', value: size.deletedSubjects },
    ...projectors.flatMap(gaugesOfProjector),
    ...PROJECTOR_NAMES.map((name, index) => labelled('palimpsest_dead_letters', name, letters[index] ?? 0)),
    ...(depth ? gaugesOfOutbox(depth) : []),
    ...gaugesOfWebhooks(listed),
    { name: 'palimpsest_webhook_lag_seconds', value: (webhookLagMs ?? 0) / 1_000 },
    ...gaugesOfCache(states.find(({ name }) => name === CACHE_CLEANER)?.detail ?? {}),
  ];
}

function gaugesOfProjector({ name, status, position, lag }: ObservedProjector): readonly GaugeValue[] {
  return [
    labelled('palimpsest_projector_up', name, status === 'stopped' ? 0 : 1),
    labelled('palimpsest_projector_paused', name, status === 'paused' ? 1 : 0),
    labelled('palimpsest_projector_position', name, position),
    labelled('palimpsest_projector_lag_events', name, lag.events),
    labelled('palimpsest_projector_lag_seconds', name, lag.seconds),
  ];
}

function gaugesOfOutbox({ pending, applied, dead, oldestMs, oldestDeadMs }: OutboxDepth): readonly GaugeValue[] {
  return [
    labelled('palimpsest_outbox_events', 'pending', pending),
    labelled('palimpsest_outbox_events', 'applied', applied),
    labelled('palimpsest_outbox_events', 'dead', dead),
    labelled('palimpsest_outbox_oldest_seconds', 'waiting', oldestMs / 1_000),
    labelled('palimpsest_outbox_oldest_seconds', 'dead', oldestDeadMs / 1_000),
  ];
}

function gaugesOfWebhooks(webhooks: readonly Webhook[]): readonly GaugeValue[] {
  const count = (is: (webhook: Webhook) => boolean): number => webhooks.filter(is).length;
  return [
    ['enabled', count(({ disabledReason: reason }) => reason === null)] as const,
    ['failing', count(({ disabledReason: reason, failingSince }) => reason === null && failingSince !== null)] as const,
    ['disabled', count(({ disabledReason: reason }) => reason === DISABLED_BY_ADMINISTRATOR)] as const,
    ['given_up', count(({ disabledReason: r }) => r !== null && r !== DISABLED_BY_ADMINISTRATOR)] as const,
  ].map(([state, value]) => labelled('palimpsest_webhooks', state, value));
}

/** As the cache cleaner saved them. */
function gaugesOfCache(detail: NonNullable<NewProjectorState['detail']>): readonly GaugeValue[] {
  return ['used', 'unused', 'removed'].flatMap((state) => {
    const count = detail[state];
    return typeof count === 'number' ? [labelled('palimpsest_embedding_cache_uses', state, count)] : [];
  });
}

function labelled(name: GaugeValue['name'], label: string, value: number): GaugeValue {
  return { name, labels: [label], value };
}
