/** `palimpsest tenants`: lists, makes, suspends and deletes the tenants of a running service, and makes their keys. */
import { type Command, InvalidArgumentError } from 'commander';
import type { CallOf } from '../../../shared/client/client.js';
import type { OperationName, ReplyOf } from '../../../shared/contract/operations.js';
import { CommandError, type Define, examples, type Host, plain, report } from '../host.js';
import {
  addKeyOptions,
  describeNewKey,
  keyBodyOf,
  type KeyOptions,
  printSecret,
  scopeLines,
} from '../keys/key-options.js';
import { addAdminToken, addCallOptions, type CallOptions, callService, given } from '../service-client.js';

type Tenant = ReplyOf<'listTenants'>['tenants'][number];
type DefineCommand = (group: Command, host: Host) => void;

const TENANT = 'its name or id';

export const define: Define = (group, host) => {
  group
    .description(
      'List, make, suspend and delete tenants: closed spaces of memories, each with its own keys. It needs the API token and the admin token, or a key with admin:tenants.',
    )
    .addHelpText(
      'after',
      examples(
        'tenants create blue',
        'tenants key blue agent --scope memories:read --scope memories:write',
        'tenants list',
      ),
    );
  const commands = [defineList, defineCreate, defineLimit, defineSuspend, defineResume, defineDelete, defineKey];
  for (const defineCommand of commands) defineCommand(group, host);
};

const defineList: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('list')))
    .description('List all tenants but the default one, with state, memories and bytes.')
    .addHelpText('after', examples('tenants list', "tenants list --json | jq -r '.tenants[].name'"))
    .action(async (options: CallOptions) => {
      const reply = await call('listTenants', {}, host, options);
      const lines = reply.tenants.flatMap((tenant) => tenantLines(tenant, host));
      report(host, options, reply, lines.length === 0 ? ['There are no tenants but the default one.'] : lines);
    });

const defineCreate: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('create')))
    .description('Make a tenant. It has no key yet: `tenants key` makes the first one.')
    .argument('<name>', 'at most 40 lower-case letters, digits and hyphens')
    .addHelpText('after', examples('tenants create blue'))
    .action(async (name: string, options: CallOptions) => {
      const reply = await call('createTenant', { body: { name } }, host, options);
      report(host, options, reply, [
        `Made ${nameOf(reply.tenant)}. Make its first key with \`palimpsest tenants key ${plain(name)} NAME --scope SCOPE\``,
      ]);
    });

/** `none` removes the limit. Commander takes null for a missing value. */
type Limit = number | 'none';
type LimitOptions = CallOptions & {
  readonly requestsPerMinute?: Limit;
  readonly writesPerMinute?: Limit;
  readonly memories?: Limit;
  readonly bytes?: Limit;
};

const LIMIT_EXAMPLES = [
  'tenants limit blue --memories 10000 --requests-per-minute 600',
  'tenants limit blue --memories none',
];

const defineLimit: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('limit')))
    .description('Set limits of a tenant, or remove them with `none`. Those that are not named stay.')
    .argument('<tenant>', TENANT)
    .option('--requests-per-minute <number>', 'beyond it requests get 429', limitOf)
    .option('--writes-per-minute <number>', 'the same for requests that change something', limitOf)
    .option('--memories <number>', 'a tenant with so many takes no more', limitOf)
    .option('--bytes <number>', 'a tenant with so many takes no more memories', limitOf)
    .addHelpText('after', examples(...LIMIT_EXAMPLES))
    .action(async (text: string, options: LimitOptions) => {
      const { requestsPerMinute, writesPerMinute, memories, bytes } = options;
      const named = given({
        requests_per_minute: requestsPerMinute,
        writes_per_minute: writesPerMinute,
        memories,
        bytes,
      });
      const limits = Object.fromEntries(
        Object.entries(named).map(([name, limit]) => [name, limit === 'none' ? null : limit]),
      );
      if (Object.keys(limits).length === 0)
        throw new CommandError('No limit is named: give one, such as --memories 10000 or --memories none');
      const { id: tenant_id } = await findTenant(text, host, options);
      const reply = await call('updateTenant', { params: { tenant_id }, body: { limits } }, host, options);
      const { tenant } = reply;
      report(host, options, reply, [`Limits of ${nameOf(tenant)}: ${limitsOf(tenant).join(', ') || 'none'}`]);
    });

type SuspendOptions = CallOptions & { readonly reason?: string };

const defineSuspend: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('suspend')))
    .description('Refuse all keys of a tenant until `tenants resume`. Its data and its keys stay.')
    .argument('<tenant>', TENANT)
    .option('--reason <text>', 'why, for the callers that are refused')
    .addHelpText('after', examples("tenants suspend blue --reason 'The trial ended in May'"))
    .action(async (text: string, { reason, ...options }: SuspendOptions) => {
      const { id: tenant_id } = await findTenant(text, host, options);
      const body = { suspended: true, ...given({ reason }) };
      const reply = await call('updateTenant', { params: { tenant_id }, body }, host, options);
      report(host, options, reply, [`Suspended ${nameOf(reply.tenant)}`]);
    });

const defineResume: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('resume')))
    .description('End the suspension of a tenant. Its keys work again.')
    .argument('<tenant>', TENANT)
    .addHelpText('after', examples('tenants resume blue'))
    .action(async (text: string, options: CallOptions) => {
      const { id: tenant_id } = await findTenant(text, host, options);
      const reply = await call('updateTenant', { params: { tenant_id }, body: { suspended: false } }, host, options);
      report(host, options, reply, [`Resumed ${nameOf(reply.tenant)}`]);
    });

type DeleteOptions = CallOptions & { readonly yes?: boolean };

const defineDelete: DefineCommand = (group, host) =>
  addAdminToken(addCallOptions(group.command('delete')))
    .description('Delete a tenant with all of its memories and keys. It cannot be undone.')
    .argument('<tenant>', TENANT)
    .option('--yes', 'delete it; without this option nothing is deleted')
    .addHelpText('after', examples('tenants delete blue --yes'))
    .action(async (text: string, { yes = false, ...options }: DeleteOptions) => {
      const tenant = await findTenant(text, host, options);
      if (!yes)
        throw new CommandError(
          `This deletes ${nameOf(tenant)} with ${amountOf(tenant)} and all of its keys: repeat it with --yes`,
        );
      const reply = await call('deleteTenant', { params: { tenant_id: tenant.id } }, host, options);
      const done = reply.finished ? 'Deleted' : 'A server did not answer, and the service goes on with the deletion of';
      report(host, options, { ...reply, name: tenant.name }, [
        `${done} ${nameOf(tenant)} with ${amountOf(reply)}. What remains:`,
        ...reply.remains.map((line) => plain(`- ${line}`)),
      ]);
    });

const KEY_EXAMPLES = [
  'tenants key blue agent --scope memories:read --scope memories:write > agent.key',
  'tenants key blue lead --scope admin:keys --scope memories:read --expires 90d',
];

const defineKey: DefineCommand = (group, host) =>
  addKeyOptions(addAdminToken(addCallOptions(group.command('key'))).argument('<tenant>', TENANT))
    .description(
      'Make a key of a tenant. It is printed once, alone on standard output. With admin:keys its holder makes the further keys with `palimpsest keys`.',
    )
    .addHelpText('after', `${scopeLines()}\n${examples(...KEY_EXAMPLES)}`)
    .action(async (text: string, name: string, options: KeyOptions) => {
      const tenant = await findTenant(text, host, options);
      const request = { params: { tenant_id: tenant.id }, body: keyBodyOf(name, options) };
      const reply = await call('createTenantKey', request, host, options);
      printSecret(host, options, reply, `Made ${describeNewKey(reply.key)}, in the tenant ${plain(tenant.name)}.`);
    });

function call<N extends OperationName>(
  name: N,
  request: CallOf<N>,
  host: Host,
  options: CallOptions,
): Promise<ReplyOf<N>> {
  return callService(name, request, { host, options, isAdmin: true, scope: 'admin:tenants' });
}

/** The id wins over a name that looks like it. */
async function findTenant(text: string, host: Host, options: CallOptions): Promise<Tenant> {
  const { tenants } = await call('listTenants', {}, host, options);
  const tenant = tenants.find(({ id }) => id === text) ?? tenants.find(({ name }) => name === text);
  if (tenant !== undefined) return tenant;
  throw new CommandError(
    plain(`There is no tenant with the name or id ${text}: \`palimpsest tenants list\` shows the tenants`),
  );
}

function tenantLines(tenant: Tenant, { paint }: Host): readonly string[] {
  const { id, name, state, reason, counted_at: counted } = tenant;
  const facts = [
    id,
    amountOf(tenant),
    counted === null ? 'never counted' : `counted ${counted}`,
    ...limitsOf(tenant).map((limit) => `at most ${limit}`),
  ];
  return [`${name}  ${state}${reason === null ? '' : `: ${reason}`}`, paint('dim', `   ${facts.join('  ')}`)].map(
    plain,
  );
}

function limitsOf({ limits }: Tenant): readonly string[] {
  return Object.entries(limits).flatMap(([name, limit]) =>
    limit === null ? [] : [`${name.replaceAll('_', ' ')} ${limit}`],
  );
}

function limitOf(text: string): Limit {
  if (text === 'none') return text;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new InvalidArgumentError('It must be a number from 1, or none.');
}

function nameOf({ name, id }: Tenant): string {
  return plain(`${name} (${id})`);
}

function amountOf({ memories, bytes }: { readonly memories: number; readonly bytes: number }): string {
  return `${memories} memories and ${bytes} bytes`;
}
