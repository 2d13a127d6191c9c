/**
 * Sends the events of the journal to the webhooks, in the process that leads. Each webhook has a lane of its own, so a
 * receiver that is slow delays no other.
 */
import { WEBHOOK_DISABLED } from '../../../shared/contract/maintenance/webhooks.js';
import { WEBHOOK_SENDER } from '../../../shared/contract/projector-names.js';
import type { OutboundAddresses } from '../../../shared/http/outbound-address.js';
import { formatTimestamp } from '../../../shared/kernel/clock.js';
import { createLoop } from '../../../shared/kernel/concurrency/loop.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { EventPublisher } from '../../../shared/ports/stream.js';
import type { Webhook, Webhooks } from '../../../shared/ports/webhooks.js';
import { type Leader, startLeader } from '../lead.js';
import { createPostEvent } from './post-event.js';
import { type Lane, type LanePorts, runLane } from './run-lane.js';

/** How often a process without the lead tries to take it. */
const LEAD_POLL_MS = 2_000;
/** How often webhooks are listed: after this time a change has its effect. */
const LIST_MS = 1_000;
const CLEAN_MS = 3_600_000;
/** The end of the journal is read again after 50 ms while it moves, and after 250 ms when nothing happens. */
const PACE = { idleMinimumMs: 50, idleMaximumMs: 250, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

export type WebhookSenderConfig = { readonly addresses: OutboundAddresses; readonly timeoutMs: number };

export type WebhookSenderPorts = Pick<LanePorts, 'metrics' | 'clock' | 'logger' | 'giveUpMs'> &
  Pick<Parameters<typeof startLeader>[0], 'lock' | 'states'> & {
    readonly journal: Pick<JournalReader, 'read' | 'head'>;
    readonly webhooks: Pick<Webhooks, 'list' | 'deliveriesAfter' | 'saveProgress' | 'disable' | 'cleanLog'>;
    readonly publisher: Pick<EventPublisher, 'notify'>;
    readonly config: WebhookSenderConfig;
  };

export function startWebhookSender({ lock, states, logger: parent, config, ...ports }: WebhookSenderPorts): Leader {
  const logger = parent.child({ projector: WEBHOOK_SENDER });
  const { webhooks, journal, publisher, clock } = ports;
  const lanePorts: LanePorts = { ...ports, logger, createPostEvent: () => createPostEvent(config), onDisabled };

  function onDisabled({ id }: Webhook, reason: string): void {
    logger.warn({ webhook: id, reason }, 'webhook disabled');
    const data = { webhook_id: id, reason };
    publisher.notify({ kind: 'watched', type: WEBHOOK_DISABLED, data, at: formatTimestamp(clock.now()) });
  }

  /** Until the lead ends. */
  async function sendAll(signal: AbortSignal): Promise<void> {
    const lanes = new Map<string, Lane>();
    let [listedAt, cleanedAt, head] = [-LIST_MS, -CLEAN_MS, 0];

    function follow(listed: readonly Webhook[]): void {
      const enabled = new Map(
        listed.filter(({ disabledReason }) => disabledReason === null).map((webhook) => [webhook.id, webhook]),
      );
      for (const [id, lane] of lanes) if (enabled.get(id)?.revision !== lane.revision) lane.stop();
      for (const webhook of enabled.values()) if (!lanes.has(webhook.id)) start(webhook);
    }

    function start(webhook: Webhook): void {
      const lane = runLane(webhook, { ...lanePorts, logger: logger.child({ webhook: webhook.id }) });
      lanes.set(webhook.id, lane);
      lane.advance(head);
      void lane.ended.then(() => {
        lanes.delete(webhook.id);
        listedAt = -LIST_MS; // a changed webhook continues at once
        loop.wake();
      });
    }

    const loop = createLoop({
      step: async () => {
        if (performance.now() - listedAt >= LIST_MS) {
          listedAt = performance.now();
          follow(await webhooks.list());
        }
        if (performance.now() - cleanedAt >= CLEAN_MS) {
          cleanedAt = performance.now();
          await webhooks.cleanLog();
        }
        if (lanes.size === 0) return 'idle';
        const before = head;
        head = await journal.head();
        for (const lane of lanes.values()) lane.advance(head);
        return head === before ? 'idle' : 'partial';
      },
      onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'following the webhooks failed'),
      pace: PACE,
    });
    await loop.run(signal);
    for (const lane of lanes.values()) lane.stop();
    await Promise.all([...lanes.values()].map(({ ended }) => ended));
  }

  return startLeader({
    name: WEBHOOK_SENDER,
    step: (_save, signal) => sendAll(signal),
    failure: 'sending webhooks failed',
    pollMs: LEAD_POLL_MS,
    failedMaximumMs: LEAD_POLL_MS,
    lock,
    states,
    logger,
  });
}
