/** The webhooks and the log of their deliveries. */
import type { EventType } from '../../../contract/events.js';
import { DELIVERY_RETENTION_MS, type DeliveryState, WEBHOOKS_LIMIT } from '../../../contract/maintenance/webhooks.js';
import type { Timestamp } from '../../../contract/memory.js';
import { ConflictError } from '../../../kernel/errors.js';
import type { Delivery, Webhook, WebhookChange, Webhooks } from '../../../ports/webhooks.js';
import { type Call, type Param, type Sql, timestampOf } from './sql.js';

/** Rows of the log that one statement removes: few, so that no transaction is long and Postgres finds them by key. */
const REMOVED_AT_ONCE = 1_000;

/** The columns that a caller changes. */
const CHANGED: Readonly<Record<keyof WebhookChange, string>> = {
  url: 'url',
  description: 'description',
  types: 'types',
  tags: 'tags',
  secret: 'secret',
  previousSecret: 'previous_secret',
  previousSecretUntil: 'previous_secret_until',
  disabledReason: 'disabled_reason',
  position: 'position',
};

/** The columns of a delivery with their types. */
const LOGGED: Readonly<Record<keyof DeliveryRow, string>> = {
  position: 'bigint',
  event_id: 'uuid',
  type: 'text',
  subject: 'text',
  state: 'text',
  attempts: 'integer',
  http_status: 'integer',
  error: 'text',
  duration_ms: 'double precision',
  first_attempt_at: 'timestamptz',
  last_attempt_at: 'timestamptz',
  next_attempt_at: 'timestamptz',
};

export function createWebhooks(sql: Sql): Webhooks {
  const { now, ago, objects } = sql.dialect;
  const logged = Object.keys(LOGGED);
  const saveDeliveries = `INSERT INTO webhook_deliveries (webhook_id, ${logged.join(', ')})
    SELECT webhooks.id, ${logged.map((column) => `item.${column}`).join(', ')}
    FROM webhooks CROSS JOIN ${objects('$3', LOGGED)} WHERE webhooks.id = $1 AND webhooks.revision = $2 AND webhooks.position = $4
    ON CONFLICT (webhook_id, position) DO UPDATE SET
      ${logged.map((column) => `${column} = excluded.${column}`).join(', ')}`;

  const read = async (...call: Call): Promise<readonly Webhook[]> =>
    (await sql.read<WebhookRow>(...call)).map(webhookOfRow);
  const readLog = async (...call: Call): Promise<readonly Delivery[]> =>
    (await sql.read<DeliveryRow>(...call)).map(deliveryOfRow);

  /** Returns how many it removed. */
  async function removeDeliveries(name: string, condition: string, params: readonly Param[]): Promise<number> {
    const text = `DELETE FROM webhook_deliveries WHERE (webhook_id, position) IN (
        SELECT webhook_id, position FROM webhook_deliveries AS delivery WHERE ${condition} LIMIT ${REMOVED_AT_ONCE}
      ) RETURNING position`;
    for (let removed = 0; ;) {
      const { length } = await sql.write(name, text, params);
      removed += length;
      if (length < REMOVED_AT_ONCE) return removed;
    }
  }

  return {
    create: async ({ id, url, description, types, tags, secret, position }) => {
      const insert = `INSERT INTO webhooks (id, url, description, types, tags, secret, position, created_at, updated_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, ${now}, ${now} WHERE (SELECT count(*) FROM webhooks) < $8 RETURNING *`;
      const values = [id, url, description, JSON.stringify(types), JSON.stringify(tags), secret, position];
      const call: Call = ['create_webhook', insert, [...values, WEBHOOKS_LIMIT]];
      const [[row] = []] = await sql.transaction<WebhookRow>([call], { lock: 'webhooks' });
      if (row !== undefined) return webhookOfRow(row);
      throw new ConflictError(
        `There are ${WEBHOOKS_LIMIT} webhooks, which is the limit: delete one of them, then send the request again`,
      );
    },
    list: () => read('list_webhooks', 'SELECT * FROM webhooks ORDER BY number'),
    find: async (id) => (await read('find_webhook', 'SELECT * FROM webhooks WHERE id = $1', [id]))[0] ?? null,
    update: async (id, change) => {
      const { position } = change;
      if (position !== undefined) await removeDeliveries('remove_later', LATER, [id, position]);
      const end = `UPDATE webhooks SET revision = revision + 1, updated_at = ${now} WHERE id = $1 RETURNING *`;
      const results = await sql.transaction<WebhookRow>([...changesOf(id, change), ['end_change', end, [id]]]);
      const row = results.at(-1)?.[0];
      return row === undefined ? null : webhookOfRow(row);
    },
    remove: async (id) => {
      const removed = await sql.write('remove_webhook', 'DELETE FROM webhooks WHERE id = $1 RETURNING id', [id]);
      await removeDeliveries('remove_log', 'webhook_id = $1', [id]);
      return removed.length > 0;
    },
    saveProgress: async ({ id, revision, from, position, failingSince, lastError, deliveries }) => {
      const [saved = []] = await sql.transaction([
        [
          'save_progress',
          `UPDATE webhooks SET position = $3, failing_since = $4, last_error = $5
           WHERE id = $1 AND revision = $2 AND position = $6 RETURNING id`,
          [id, revision, position, failingSince, lastError, from],
        ],
        ['save_deliveries', saveDeliveries, [id, revision, JSON.stringify(deliveries.map(rowOfDelivery)), position]],
      ]);
      return saved.length > 0;
    },
    disable: async ({ id, revision }, reason) => {
      const text = `UPDATE webhooks SET disabled_reason = $3, revision = revision + 1, updated_at = ${now}
        WHERE id = $1 AND revision = $2 RETURNING id`;
      return (await sql.write('disable_webhook', text, [id, revision, reason])).length > 0;
    },
    deliveries: ({ id, state, before = Number.MAX_SAFE_INTEGER, limit }) =>
      readLog(
        `list_${state ?? 'all'}_deliveries`,
        `SELECT * FROM webhook_deliveries WHERE webhook_id = $1 AND position < $2
         ${state === undefined ? '' : `AND state = '${state}'`} ORDER BY position DESC LIMIT $3`,
        [id, before, limit],
      ),
    deliveriesAfter: (id, position) =>
      readLog('deliveries_after', `SELECT * FROM webhook_deliveries WHERE ${LATER} ORDER BY position`, [id, position]),
    cleanLog: () =>
      removeDeliveries(
        'clean_log',
        // Those of a deleted webhook are left where its deletion was interrupted.
        `last_attempt_at < ${ago('$1')} AND position <= coalesce(
           (SELECT webhooks.position FROM webhooks WHERE webhooks.id = delivery.webhook_id), delivery.position)`,
        [DELIVERY_RETENTION_MS],
      ),
  };
}

/** Deliveries of the webhook in parameter 1, of events after the position in parameter 2. */
const LATER = 'webhook_id = $1 AND position > $2';

/** One statement for each value, so that their number does not depend on the choice of the caller. */
function changesOf(id: string, change: WebhookChange): readonly Call[] {
  const calls = Object.entries(change).map(([name, value]): Call => {
    const column = CHANGED[name as keyof WebhookChange]; // the keys of the type are all there are
    const param = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    return [`change_${column}`, `UPDATE webhooks SET ${column} = $2 WHERE id = $1`, [id, param]];
  });
  const { position, disabledReason } = change;
  if (position !== undefined)
    calls.push(['forget_later', `DELETE FROM webhook_deliveries WHERE ${LATER}`, [id, position]]);
  if (disabledReason === null)
    calls.push(['forget_failing', `DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'failing'`, [id]]);
  if (position !== undefined || disabledReason === null)
    calls.push(['forget_error', 'UPDATE webhooks SET failing_since = NULL, last_error = NULL WHERE id = $1', [id]]);
  return calls;
}

type Time = Date | Timestamp;

type WebhookRow = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** JSON. */
  readonly types: string;
  readonly tags: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_secret_until: Time | null;
  readonly disabled_reason: string | null;
  readonly position: number;
  readonly revision: number;
  readonly failing_since: Time | null;
  readonly last_error: string | null;
  readonly created_at: Time;
  readonly updated_at: Time;
};

function webhookOfRow(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: JSON.parse(row.types) as EventType[], // as an adapter wrote it
    tags: JSON.parse(row.tags) as string[],
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousSecretUntil: row.previous_secret_until && timestampOf(row.previous_secret_until),
    disabledReason: row.disabled_reason,
    position: row.position,
    revision: row.revision,
    failingSince: row.failing_since && timestampOf(row.failing_since),
    lastError: row.last_error,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
  };
}

type DeliveryRow = {
  readonly position: number;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly first_attempt_at: Time;
  readonly last_attempt_at: Time;
  readonly next_attempt_at: Time | null;
};

function deliveryOfRow({ position, type, subject, attempts, error, ...row }: DeliveryRow): Delivery {
  return {
    position,
    eventId: row.event_id,
    type,
    subject,
    state: row.state as DeliveryState, // as `rowOfDelivery` wrote it
    attempts,
    httpStatus: row.http_status,
    error,
    durationMs: row.duration_ms,
    firstAttemptAt: timestampOf(row.first_attempt_at),
    lastAttemptAt: timestampOf(row.last_attempt_at),
    nextAttemptAt: row.next_attempt_at && timestampOf(row.next_attempt_at),
  };
}

function rowOfDelivery({ position, type, subject, state, attempts, error, ...delivery }: Delivery): DeliveryRow {
  return {
    position,
    event_id: delivery.eventId,
    type,
    subject,
    state,
    attempts,
    http_status: delivery.httpStatus,
    // It may quote a receiver; the JSON of Postgres has neither NUL nor half of a surrogate pair.
    error: error === null ? null : Buffer.from(error.replaceAll('\u0000', '\uFFFD')).toString(),
    duration_ms: delivery.durationMs,
    first_attempt_at: delivery.firstAttemptAt,
    last_attempt_at: delivery.lastAttemptAt,
    next_attempt_at: delivery.nextAttemptAt,
  };
}
