/** Letting the enricher stand still and go on, by the routes a person has, and waiting for it. */
import type { HttpCaller } from '../support/http-caller.js';
import { until } from '../support/until.js';

const DRAINED_WITHIN_MS = 3_600_000;

/** The same service with the admin token in every request. */
export function asAdmin({ request }: HttpCaller, token: string): HttpCaller {
  return {
    request: (method, path, call = {}) =>
      request(method, path, { ...call, headers: { ...call.headers, 'x-admin-token': token } }),
  };
}

/** Resolves once every instance stands still, or none does. */
export async function steerEnricher(target: HttpCaller, wanted: 'pause' | 'resume'): Promise<void> {
  const { status, body } = await target.request('POST', `/admin/projectors/enricher/${wanted}`);
  if (status !== 200) throw new Error(`The enricher could not be steered (${status}): ${JSON.stringify(body)}`);
  if (wanted === 'resume') return;
  await until('the enricher stands still', async () => {
    const { projectors } = (await target.request('GET', '/admin/projectors')).body as {
      projectors: { name: string; instances: { status: string }[] }[];
    };
    return projectors.find(({ name }) => name === 'enricher')?.instances.every(({ status: now }) => now !== 'running');
  });
}

export async function allEnriched(target: HttpCaller): Promise<void> {
  await until('all are enriched', async () => (await pendingEnrichments(target)) === 0, DRAINED_WITHIN_MS);
  await until(
    'nothing is in flight',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    DRAINED_WITHIN_MS,
  );
}

export async function pendingEnrichments(target: HttpCaller): Promise<number> {
  return (await target.request('GET', '/enrichment/status')).body.pending;
}
