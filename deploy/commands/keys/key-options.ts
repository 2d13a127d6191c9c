/** A new key on the command line: its options, and how it is printed. For the keys of a service and of a tenant. */
import { type Command, InvalidArgumentError } from 'commander';
import { KEY_REQUESTS_PER_MINUTE_LIMIT } from '../../../shared/contract/limits.js';
import type { ReplyOf } from '../../../shared/contract/operations.js';
import { type Scope, SCOPE_NAMES, SCOPES } from '../../../shared/contract/scopes.js';
import { parseTimestamp } from '../../../shared/kernel/timestamps.js';
import { collect, type Host, numberIn, plain } from '../host.js';
import { type CallOptions, given } from '../service-client.js';

export type Key = ReplyOf<'listKeys'>['keys'][number];

export type KeyOptions = CallOptions & {
  readonly scope: Scope[];
  readonly tag?: string;
  readonly requestsPerMinute?: number;
  readonly expires?: string;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const EXPIRY_DAYS_LIMIT = 36_500;

/** The name and the rights of a new key. */
export function addKeyOptions(command: Command): Command {
  return command
    .argument('<name>', 'names the holder in events: at most 64 letters, digits and . _ @ -')
    .requiredOption('--scope <scope>', 'what the key may do, one of the scopes below; may be repeated', collectScope)
    .option('--tag <tag>', 'it sees and changes only memories with this tag, such as agent:alice')
    .option(
      '--requests-per-minute <number>',
      `1 to ${KEY_REQUESTS_PER_MINUTE_LIMIT}; default no limit`,
      numberIn(1, KEY_REQUESTS_PER_MINUTE_LIMIT),
    )
    .option('--expires <time>', 'a time such as 2027-01-01, or a number of days such as 30d; default never', expiryOf);
}

export function keyBodyOf(name: string, options: KeyOptions) {
  const { scope: scopes, tag, requestsPerMinute: requests_per_minute, expires: expires_at } = options;
  return { name, scopes, ...given({ tag, requests_per_minute, expires_at }) };
}

export function describeNewKey(key: Key): string {
  return `${nameOf(key)}: ${key.scopes.join(', ')}, ${expiryText(key)}`;
}

/** Stdout gets the key alone, for a file or a variable; a person reads the rest. */
export function printSecret(host: Host, { json }: CallOptions, reply: ReplyOf<'rotateKey'>, done: string): void {
  host.print(json ? JSON.stringify(reply) : reply.secret);
  host.printError(`${done} The new key is shown this once: store it now.`);
}

export function nameOf({ name, id }: Key): string {
  return plain(`${name} (${id})`);
}

export function expiryText({ expires_at: at }: Key): string {
  if (at === null) return 'never expires';
  return isPast(at) ? `expired ${at}` : `expires ${at}`;
}

export function isPast(time: string): boolean {
  return Date.parse(time) <= Date.now();
}

export function scopeLines(): string {
  const width = Math.max(...SCOPE_NAMES.map((scope) => scope.length)) + 2;
  return ['', 'Scopes:', ...SCOPE_NAMES.map((scope) => `  ${scope.padEnd(width)}${SCOPES[scope]}`)].join('\n');
}

function collectScope(text: string, earlier: readonly string[] | undefined): readonly string[] {
  if ((SCOPE_NAMES as readonly string[]).includes(text)) return [...new Set(collect(text, earlier))];
  throw new InvalidArgumentError(`It is not a scope. The scopes are ${SCOPE_NAMES.join(', ')}.`);
}

/** A time as the service reads it. */
function expiryOf(text: string): string {
  const days = Number(/^(\d{1,6})d$/u.exec(text)?.[1] ?? NaN);
  if (days >= 1 && days <= EXPIRY_DAYS_LIMIT) return new Date(Date.now() + days * DAY_MS).toISOString();
  const time = parseTimestamp(text);
  if (time !== null) return time;
  throw new InvalidArgumentError('It must be a time such as 2027-01-01, or a number of days such as 30d.');
}
