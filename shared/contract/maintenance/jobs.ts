/** Jobs: long maintenance that an administrator requests and that runs in the background. */
import { type Operation, route } from '../operation.js';
import { closed, count, success, text, textOrNull } from '../reply-parts.js';

export const JOB_KINDS = ['reembed', 'rebuild-vectors', 'rollback-vectors', 'rebuild-graph', 'consolidate'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** A job is unfinished while it is `waiting` or `running`. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Jobs that ended and are still listed. */
export const JOBS_KEPT = 100;

const jobBody = closed({
  id: { type: 'string', format: 'uuid' },
  kind: { type: 'string', enum: [...JOB_KINDS] },
  state: { type: 'string', enum: [...JOB_STATES] },
  request: { type: 'object', additionalProperties: true, description: 'As the job was requested, with defaults.' },
  progress: { type: 'object', additionalProperties: true, description: 'Counts; their names depend on the kind.' },
  error: { ...textOrNull, description: 'Why the job failed.' },
  requested_at: text,
  started_at: textOrNull,
  finished_at: textOrNull,
});

export const jobsReply = closed({
  status: success,
  jobs: { type: 'array', items: jobBody, description: 'The newest first.' },
  count,
});
export const jobReply = closed({ status: success, job: jobBody });
/** Of a request that starts a job. */
export const jobAcceptedReply = closed({ status: { type: 'string', const: 'accepted' }, job: jobBody });

export const jobOperations = {
  listJobs: {
    ...route('GET /admin/jobs', 'query', 'admin'),
    tag: 'Administration',
    summary: 'Jobs of maintenance: the unfinished one, and the last ones that ended',
    description: 'The jobs of long maintenance, the newest first. At most one of them is unfinished.',
    replies: { 200: jobsReply },
  },
  getJob: {
    ...route('GET /admin/jobs/:job', 'query', 'admin'),
    tag: 'Administration',
    summary: 'State and progress of one job',
    description: 'One job with its progress, and with its error if it failed.',
    replies: { 200: jobReply },
  },
  rebuildGraph: {
    ...route('POST /admin/projections/graph/rebuild', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Bring the graph to the state of the journal, as a job',
    description:
      'Applies the state of the journal to the graph again, as a job. What the graph lost returns; what it has stays as it is.',
    replies: { 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
} as const satisfies Record<string, Operation>;
