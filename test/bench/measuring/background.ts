/** Waits for the work that a service does in the background, and pauses its enricher. */
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Target } from './run-bench.js';

const DEADLINE_MS = 3_600_000;

/** All memories are indexed. */
export async function untilIndexed({ request }: HttpCaller): Promise<void> {
  const isIndexed = async () => (await request('GET', '/health')).body.in_flight === 0;
  await until('all memories are indexed', isIndexed, DEADLINE_MS);
}

/** All memories are enriched and indexed. */
export async function untilEnriched(target: HttpCaller): Promise<void> {
  await until('all memories are enriched', async () => (await pendingEnrichments(target)) === 0, DEADLINE_MS);
  await untilIndexed(target);
}

export async function pendingEnrichments({ request }: HttpCaller): Promise<number> {
  return (await request('GET', '/enrichment/status')).body.pending;
}

/** Resolves when no instance of the enricher runs any more. */
export async function pauseEnricher({ call }: Target): Promise<void> {
  await call('POST', '/admin/projectors/enricher/pause');
  await until('the enricher is paused', async () => {
    const { projectors } = (await call('GET', '/admin/projectors')).body as {
      projectors: { name: string; instances: { status: string }[] }[];
    };
    return projectors.find(({ name }) => name === 'enricher')?.instances.every(({ status }) => status !== 'running');
  });
}

export async function resumeEnricher({ call }: Target): Promise<void> {
  await call('POST', '/admin/projectors/enricher/resume');
}

type Job = { readonly id: string; readonly error: string | null; readonly finished_at: string | null };

/** Starts a job and resolves with it when it has ended. `seen`: receives each state of the job. */
export async function runJob<J extends Job>(
  { call }: Target,
  { path, body }: { readonly path: string; readonly body: object },
  seen: (job: J) => void = () => undefined,
): Promise<J> {
  const { id } = (await call('POST', path, body)).body.job as J;
  const ended = async (): Promise<J | false> => {
    const job = (await call('GET', `/admin/jobs/${id}`)).body.job as J;
    seen(job);
    return job.finished_at !== null && job;
  };
  const job = await until(`the job of POST ${path} has ended`, ended, DEADLINE_MS);
  if (job.error !== null) throw new Error(`The job of POST ${path} failed: ${job.error}`);
  return job;
}
