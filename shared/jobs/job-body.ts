/** A job as replies show it, without its checkpoint. */
import type { ReplyOf } from '../contract/operations.js';
import type { Job } from '../ports/jobs.js';

export function jobBody({ id, kind, state, request, progress, error, ...times }: Job): ReplyOf<'getJob'>['job'] {
  const { requestedAt: requested_at, startedAt: started_at, finishedAt: finished_at } = times;
  return { id, kind, state, request, progress, error, requested_at, started_at, finished_at };
}
