/** The service that is attacked, in processes of its own, in both compositions, with the data of the attacks. */
import { readFile } from 'node:fs/promises';
import { until } from '../support/checks/until.js';
import { createHttpCaller, type HttpCaller } from '../support/clients/http-caller.js';
import { createTempFolder } from '../support/fixtures/temp-folder.js';
import { areBothWanted } from '../support/processes/both-compositions.js';
import { type Child, startChild } from '../support/processes/child-process.js';
import { startChildService } from '../support/processes/child-service.js';
import { startFleet } from '../support/processes/fleet.js';
import { openTestDeployment } from '../support/processes/test-deployment.js';
import { many, type Target } from './attack.js';

export type UnderAttack = {
  readonly url: string;
  readonly mcpUrl: string;
  /** The processes by name; none of them may end or restart. */
  readonly processes: Readonly<Record<string, Pick<Child, 'pid' | 'isRunning'>>>;
  readonly close: () => Promise<void>;
};

export const ATTACKER_TOKEN = 'token-of-the-attacker';
export const BYSTANDER_TOKEN = 'token-of-the-bystander';
const VARIABLES = {
  API_TOKENS: `attacker:${ATTACKER_TOKEN},bystander:${BYSTANDER_TOKEN}`,
  ADMIN_API_TOKEN: 'token-of-the-operator',
};

/** The distributed service needs all servers. */
export const ATTACKED_COMPOSITIONS: readonly { readonly name: string; readonly start: () => Promise<UnderAttack> }[] = [
  { name: 'embedded', start: startEmbedded },
  ...(areBothWanted() ? [{ name: 'distributed', start: startDistributed }] : []),
];

async function startEmbedded(): Promise<UnderAttack> {
  const folder = await createTempFolder();
  const service = await startChildService({
    dataFolder: folder.path,
    variables: { ...VARIABLES, MCP_ENABLED: 'true' },
  });
  return {
    url: service.url,
    mcpUrl: `${service.url}/mcp`,
    processes: { service },
    close: async () => {
      await service.stop('SIGTERM');
      await folder.remove();
    },
  };
}

async function startDistributed(): Promise<UnderAttack> {
  const opened = await openTestDeployment();
  const fleet = await startFleet(opened.deployment, { variables: VARIABLES });
  const bridge = startChild({
    main: 'deploy/mcp/main.js',
    arguments: ['--http'],
    folder: opened.deployment.folder.path,
    variables: { PORT: '0', LOG_LEVEL: 'warn', AUTOMEM_API_URL: fleet.url },
  });
  const [mcpUrl] = await bridge.prints(/http:\/\/\S+\/mcp/u);
  const kinds = ['command-api', 'query-api', 'projectors', 'relay'] as const;
  const members = kinds.flatMap((kind) => fleet.members(kind).map((member) => [kind, member] as const));
  return {
    url: fleet.url,
    mcpUrl,
    processes: { ...Object.fromEntries(members), bridge },
    close: async () => {
      await bridge.stop('SIGTERM');
      await fleet.close();
      await opened.remove();
    },
  };
}

const SPOKES = 1_000;
const BATCH = 500;
/** From the hub to each spoke and back. */
const TYPES = ['RELATES_TO', 'LEADS_TO', 'REINFORCES', 'PART_OF', 'DERIVED_FROM'];
const SETTLED_DEADLINE_MS = 90_000;

/** Stores a hub with 10,000 associations. Resolves when its memories are indexed and enriched. */
export async function storeTarget({ url, mcpUrl }: UnderAttack): Promise<Target> {
  const caller = createHttpCaller(url, ATTACKER_TOKEN);
  const stored = await Promise.all(
    many(SPOKES / BATCH, (batch) =>
      post(caller, '/memory/batch', {
        memories: many(BATCH, (index) => ({
          content: `Spoke ${batch * BATCH + index} of the hub`,
          tags: ['spoke', `entity:people:person-${index % 50}`],
        })),
      }),
    ),
  );
  const spokes = stored.flatMap(({ memory_ids: ids }) => ids as string[]);
  const hub: string = (await post(caller, '/memory', { content: 'The hub of all spokes', tags: ['hub'] })).memory_id;
  const associations = TYPES.flatMap((type) =>
    spokes.flatMap((spoke, index) => {
      const strength = (index % 100) / 100;
      return [
        { memory1_id: hub, memory2_id: spoke, type, strength },
        { memory1_id: spoke, memory2_id: hub, type, strength },
      ];
    }),
  );
  for (let start = 0; start < associations.length; start += BATCH)
    await post(caller, '/associate', { associations: associations.slice(start, start + BATCH) });
  await until('the hub is enriched', () => isSettled(caller), SETTLED_DEADLINE_MS);
  return { url, mcpUrl, token: ATTACKER_TOKEN, hub, spokes };
}

async function isSettled({ request }: HttpCaller): Promise<boolean> {
  const { body } = await request('GET', '/health');
  return body.in_flight === 0 && body.projectors?.enricher?.lag_events === 0;
}

async function post({ request }: HttpCaller, path: string, body: object) {
  const answer = await request('POST', path, { body });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The memory of a process in MB now and at its most, as text; empty on a system without /proc. */
export async function residentMemory(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return [...status.matchAll(/^Vm(RSS|HWM):\s+(\d+) kB/gmu)]
    .map(([, name, kib]) => `${Math.round(Number(kib) / 1_024)} MB ${name === 'RSS' ? 'now' : 'at most'}`)
    .join(', ');
}
