/** `palimpsest keys`: lists, makes, rotates and revokes the keys of a running service. */
import type { Command } from 'commander';
import { KEY_OVERLAP_HOURS, KEY_OVERLAP_HOURS_LIMIT } from '../../../shared/contract/limits.js';
import { CommandError, type Define, examples, type Host, numberIn, plain, report } from '../host.js';
import { addAdminToken, addCallOptions, type CallOptions, callService, given } from '../service-client.js';
import {
  addKeyOptions,
  describeNewKey,
  expiryText,
  isPast,
  type Key,
  keyBodyOf,
  type KeyOptions,
  nameOf,
  printSecret,
  scopeLines,
} from './key-options.js';

type DefineCommand = (group: Command, host: Host) => void;

export const define: Define = (group, host) => {
  group
    .description(
      'List, make, rotate and revoke keys: credentials with scopes of their own. It needs the API token and the admin token, or a key with admin:keys.',
    )
    .addHelpText(
      'after',
      examples('keys list', 'keys create help-desk --scope memories:read', 'keys revoke help-desk'),
    );
  for (const defineCommand of [defineList, defineCreate, defineRotate, defineRevoke]) defineCommand(group, host);
};

const defineList: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('list')))
    .description('List all keys with scopes, expiry and last use, without the keys themselves.')
    .addHelpText('after', examples('keys list', "keys list --json | jq -r '.keys[].name'"))
    .action(async (options: CallOptions) => {
      const reply = await callService('listKeys', {}, { host, options, isAdmin: true });
      const lines = reply.keys.flatMap((key) => keyLines(key, host));
      report(host, options, reply, lines.length === 0 ? ['There are no keys.'] : lines);
    });

const CREATE_EXAMPLES = [
  'keys create help-desk --scope memories:read --scope memories:write --expires 30d',
  'keys create alice --scope memories:read --scope memories:write --tag agent:alice',
  'keys create auditor --scope events:read > auditor.key',
];

const defineCreate: DefineCommand = (group, host) =>
  addKeyOptions(addAdminToken(addCallOptions(group.command('create'))))
    .description('Make a key. It is printed once, alone on standard output; the service keeps only its hash.')
    .addHelpText('after', `${scopeLines()}\n${examples(...CREATE_EXAMPLES)}`)
    .action(async (name: string, options: KeyOptions) => {
      const reply = await callService(
        'createKey',
        { body: keyBodyOf(name, options) },
        { host, options, isAdmin: true },
      );
      printSecret(host, options, reply, `Made ${describeNewKey(reply.key)}.`);
    });

type RotateOptions = CallOptions & { readonly overlapHours?: number };

const defineRotate: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('rotate')))
    .description('Replace a key by a new one with the same name and scopes. It is printed once, like a new key.')
    .argument('<key>', 'its name or id')
    .option(
      '--overlap-hours <number>',
      `how long the key before also works, 0 to ${KEY_OVERLAP_HOURS_LIMIT}; default ${KEY_OVERLAP_HOURS}`,
      numberIn(0, KEY_OVERLAP_HOURS_LIMIT),
    )
    .addHelpText('after', examples('keys rotate help-desk', 'keys rotate help-desk --overlap-hours 0'))
    .action(async (text: string, options: RotateOptions) => {
      const { id: key_id } = await findKey(text, host, options);
      const call = { params: { key_id }, body: given({ overlap_hours: options.overlapHours }) };
      const reply = await callService('rotateKey', call, { host, options, isAdmin: true });
      const { previous_until: until } = reply.key;
      const before = until === null ? 'is refused from now on' : `works until ${until}`;
      printSecret(host, options, reply, `Rotated ${nameOf(reply.key)}. The key before ${before}.`);
    });

const defineRevoke: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('revoke')))
    .description('Delete a key. Every process refuses it within a second. It does not ask again.')
    .argument('<key>', 'its name or id')
    .addHelpText('after', examples('keys revoke help-desk'))
    .action(async (text: string, options: CallOptions) => {
      const key = await findKey(text, host, options);
      const reply = await callService('revokeKey', { params: { key_id: key.id } }, { host, options, isAdmin: true });
      report(host, options, { ...reply, name: key.name }, [`Revoked ${nameOf(key)}`]);
    });

/** The id wins over a name that looks like it. */
async function findKey(text: string, host: Host, options: CallOptions): Promise<Key> {
  const { keys } = await callService('listKeys', {}, { host, options, isAdmin: true });
  const key = keys.find(({ id }) => id === text) ?? keys.find(({ name }) => name === text);
  if (key !== undefined) return key;
  throw new CommandError(plain(`There is no key with the name or id ${text}: \`palimpsest keys list\` shows the keys`));
}

function keyLines(key: Key, { paint }: Host): readonly string[] {
  const { id, name, scopes, tag, requests_per_minute: rate, last_used_at: used, uses, previous_until: until } = key;
  const facts = [
    id,
    ...(tag === null ? [] : [`only ${tag}`]),
    ...(rate === null ? [] : [`${rate} requests per minute`]),
    expiryText(key),
    used === null ? 'never used' : `last used ${used}`,
    `${uses} uses`,
    ...(until !== null && !isPast(until) ? [`the key before works until ${until}`] : []),
  ];
  return [`${name}  ${scopes.join(' ')}`, paint('dim', `   ${facts.join('  ')}`)].map(plain);
}
