/** A job as replies show it, without its checkpoint. */
import type { Job } from './jobs.js';

export function jobBody({ id, kind, state, request, progress, error, ...times }: Job): object {
  const { requestedAt: requested_at, startedAt: started_at, finishedAt: finished_at } = times;
  return { id, kind, state, request, progress, error, requested_at, started_at, finished_at };
}
