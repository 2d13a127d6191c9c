/** The commands for keys: make, rotate, revoke. Each change is an event. */
import { type EventType, KEY_EVENTS } from '../shared/contract/events.js';
import { KEY_OVERLAP_HOURS } from '../shared/contract/limits.js';
import type { Timestamp } from '../shared/contract/memory.js';
import { type Scope, TAGGED_KEY_SCOPES } from '../shared/contract/scopes.js';
import type { Handlers, RequestContext } from '../shared/http/handler.js';
import { type Clock, formatTimestamp, type Ids } from '../shared/kernel/clock.js';
import { ForbiddenError, NotFoundError, ValidationError } from '../shared/kernel/errors.js';
import { hashOfKey, newKey } from '../shared/kernel/keys.js';
import type { Logger } from '../shared/kernel/logger.js';
import { parseTimestamp } from '../shared/kernel/timestamps.js';
import { keyBody, keyRecord } from '../shared/keys/key-body.js';
import type { JournalReader } from '../shared/ports/journal.js';
import type { Key, Keys } from '../shared/ports/keys.js';
import type { Tenant } from '../shared/ports/tenants.js';
import { canonicalTag } from '../shared/text/tags.js';
import type { CommandHandling } from './command-handling.js';
import { newEvent, oneEvent } from './decision.js';
import { readTags } from './memories/memory-fields.js';

export type KeyDeps = {
  readonly keys: Pick<Keys, 'create' | 'find' | 'rotate' | 'remove'>;
  readonly commands: Pick<CommandHandling, 'run' | 'facts'>;
  readonly journal: Pick<JournalReader, 'lastOf'>;
  /** Whose keys they are; null: the default tenant's. */
  readonly tenant: Pick<Tenant, 'id' | 'name'> | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
};

const HOUR_MS = 60 * 60 * 1_000;

type KeyEvent = Extract<EventType, `key.${string}`>;

export function createAdministerKeys({
  keys,
  commands,
  journal,
  tenant,
  clock,
  ids,
  logger,
}: KeyDeps): Handlers<'createKey' | 'rotateKey' | 'revokeKey'> {
  function logChange(
    change: string,
    { id, name, scopes, tag, requestsPerMinute }: Key,
    { actor, requestId }: RequestContext,
  ): void {
    logger.info({ key: name, keyId: id, scopes, tag, requestsPerMinute, by: actor.name, requestId }, `key ${change}`);
  }

  /** A key that an earlier release made has no event: the first one has version 1. */
  async function append(type: KeyEvent, key: Key, context: RequestContext): Promise<void> {
    await commands.run(
      { key: null, fingerprint: null },
      {
        load: async () => {
          const events = await journal.lastOf({ subjects: [key.id], types: KEY_EVENTS });
          return 1 + Math.max(0, ...events.map(({ version }) => version));
        },
        decide: (version) => {
          const facts = commands.facts(context, 1);
          const data = { key: keyRecord(key) };
          const subject = { subject: key.id, partitionKey: key.id };
          return oneEvent(newEvent(facts, 0, { type, data, ...subject, version, revision: version }));
        },
      },
    );
  }

  return {
    createKey: async ({
      body: { name, scopes, tag: given, expires_at, requests_per_minute: rate = null },
      context,
    }) => {
      requireScopes(context, scopes);
      if (tenant !== null) requireInside(scopes);
      const tag = given === undefined ? null : readTag(given, scopes);
      const secret = newKey(tenant?.id);
      const expiresAt = expires_at === undefined ? null : readExpiry(expires_at, clock);
      const hash = hashOfKey(secret);
      const key = await keys.create({ id: ids.uuid(), name, scopes, tag, expiresAt, requestsPerMinute: rate, hash });
      try {
        await append('key.created', key, context);
      } catch (error) {
        // No caller has its secret. Without the row the name is free for another attempt.
        await keys.remove(key.id).catch((err: unknown) => logger.warn({ err, keyId: key.id }, 'unused key remains'));
        throw error;
      }
      logChange('made', key, context);
      return { status: 201, body: { status: 'success', key: keyBody(key), secret } };
    },
    rotateKey: async ({ params: { key_id: id }, body: { overlap_hours: hours = KEY_OVERLAP_HOURS }, context }) => {
      requireScopes(context, found(await keys.find(id)).scopes);
      const secret = newKey(tenant?.id);
      const previousUntil = hours === 0 ? null : formatTimestamp(new Date(clock.now().getTime() + hours * HOUR_MS));
      const key = found(await keys.rotate(id, { hash: hashOfKey(secret), previousUntil }));
      await append('key.rotated', key, context);
      logChange('rotated', key, context);
      return { status: 200, body: { status: 'success', key: keyBody(key), secret } };
    },
    revokeKey: async ({ params: { key_id: id }, context }) => {
      const key = found(await keys.find(id));
      if (!(await keys.remove(id))) throw unknownKeyError();
      logChange('revoked', key, context);
      // A journal that takes no event must not keep a key alive.
      await append('key.revoked', key, context).catch((err: unknown) =>
        logger.error({ err, keyId: id }, 'the event of a revoked key may be missing'),
      );
      return { status: 200, body: { status: 'success', id } };
    },
  };
}

/** A key makes or shows no key that may do more than itself. */
function requireScopes({ scopes: own }: RequestContext, scopes: readonly Scope[]): void {
  const beyond = own === null ? [] : scopes.filter((scope) => !own.includes(scope));
  if (beyond.length > 0)
    throw new ForbiddenError(`A key gives only scopes that it has itself, and this one lacks ${beyond.join(', ')}`, {
      hint: 'Use the admin token, or a key with these scopes.',
    });
}

/** A key of a tenant has no rights over tenants. */
function requireInside(scopes: readonly Scope[]): void {
  if (scopes.includes('admin:tenants'))
    throw new ValidationError("'scopes' of a key of a tenant cannot have admin:tenants", 'scopes');
}

/** The canonical form of the tag of a key with these scopes. */
function readTag(text: string, scopes: readonly Scope[]): string {
  const [tag] = readTags([canonicalTag(text)], 'tag');
  if (tag === undefined) throw new ValidationError("'tag' must have a character other than : and /", 'tag');
  const beyond = scopes.filter((scope) => !TAGGED_KEY_SCOPES.includes(scope));
  if (beyond.length > 0)
    throw new ValidationError(
      `'scopes' of a key with a tag can only be ${TAGGED_KEY_SCOPES.join(', ')}, not ${beyond.join(', ')}`,
      'scopes',
    );
  return tag;
}

function readExpiry(text: string, clock: Clock): Timestamp {
  const expiresAt = parseTimestamp(text);
  if (expiresAt === null) throw new ValidationError("'expires_at' must be an ISO 8601 time", 'expires_at');
  if (Date.parse(expiresAt) <= clock.now().getTime())
    throw new ValidationError("'expires_at' must be in the future", 'expires_at');
  return expiresAt;
}

function found(key: Key | null): Key {
  if (key === null) throw unknownKeyError();
  return key;
}

function unknownKeyError(): NotFoundError {
  return new NotFoundError('Key not found: GET /admin/keys lists the keys');
}
