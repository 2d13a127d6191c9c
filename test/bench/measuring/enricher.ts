/** Pauses and resumes the enricher through the admin routes, and waits until it has enriched all memories. */
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';

const DRAINED_WITHIN_MS = 3_600_000;

/** Adds the admin token to every request. */
export function withAdminToken({ request }: HttpCaller, token: string): HttpCaller {
  return {
    request: (method, path, call = {}) =>
      request(method, path, { ...call, headers: { ...call.headers, 'x-admin-token': token } }),
  };
}

/** `pause` resolves when no instance of the enricher runs any more; `resume` resolves immediately. */
export async function controlEnricher(target: HttpCaller, wanted: 'pause' | 'resume'): Promise<void> {
  const { status, body } = await target.request('POST', `/admin/projectors/enricher/${wanted}`);
  if (status !== 200)
    throw new Error(`POST /admin/projectors/enricher/${wanted} answered ${status}: ${JSON.stringify(body)}`);
  if (wanted === 'resume') return;
  await until('the enricher is paused', async () => {
    const { projectors } = (await target.request('GET', '/admin/projectors')).body as {
      projectors: { name: string; instances: { status: string }[] }[];
    };
    return projectors.find(({ name }) => name === 'enricher')?.instances.every(({ status: now }) => now !== 'running');
  });
}

export async function waitUntilEnriched(target: HttpCaller): Promise<void> {
  await until('all memories are enriched', async () => (await pendingEnrichments(target)) === 0, DRAINED_WITHIN_MS);
  await until(
    'nothing is in flight',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    DRAINED_WITHIN_MS,
  );
}

export async function pendingEnrichments(target: HttpCaller): Promise<number> {
  return (await target.request('GET', '/enrichment/status')).body.pending;
}
