/** Jobs of maintenance with their progress, and the buttons that request one. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { call, type Problem, type Result } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Job = ReplyOf<'listJobs'>['jobs'][number];

const EVERY_MS = 2_000;
const SHOWN = 10;

type Request = { readonly verb: string; readonly detail: string; readonly run: () => Promise<Result<unknown>> };

const REQUESTS: readonly Request[] = [
  {
    verb: 'Rebuild the vector index',
    detail: 'A new index is made from the graph; recalls use the old one until it is complete.',
    run: () => call('rebuildVectors', { body: {} }),
  },
  {
    verb: 'Re-embed all memories',
    detail: 'Every content is embedded again. Vectors that callers supplied stay.',
    run: () => call('reembed', { body: { async: true } }),
  },
  {
    verb: 'Rebuild the graph',
    detail: 'The graph is brought to the state of the journal. Commands wait for the memories that are being rebuilt.',
    run: () => call('rebuildGraph'),
  },
];

export function Jobs() {
  const reading = useRead('jobs', (signal) => call('listJobs', { signal }), EVERY_MS);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { dialog, ask } = useConfirm();
  const request = async ({ verb, detail, run }: Request): Promise<void> => {
    if (!(await ask({ title: `${verb}?`, detail, verb }))) return;
    const result = await run();
    setProblem(result.ok ? null : result.problem);
    reading.again();
  };
  return (
    <section class="panel" aria-labelledby="jobs-title">
      <h2 id="jobs-title">Jobs</h2>
      <ReadingState reading={reading} what="the jobs" />
      {reading.body?.jobs.length === 0 && <p>No job has been requested yet.</p>}
      <ul>
        {(reading.body?.jobs ?? []).slice(0, SHOWN).map((job) => (
          <OneJob key={job.id} job={job} />
        ))}
      </ul>
      <div class="buttons">
        {REQUESTS.map((each) => (
          <button key={each.verb} type="button" onClick={() => void request(each)}>
            {each.verb}
          </button>
        ))}
      </div>
      <ProblemNote problem={problem} />
      {dialog}
    </section>
  );
}

function OneJob({ job: { kind, state, progress, error, requested_at: at } }: { readonly job: Job }) {
  const numbers = Object.entries(progress).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const total = numbers.find(([name]) => name.startsWith('total'))?.[1];
  const done = numbers.find(([name]) => !name.startsWith('total'))?.[1];
  return (
    <li>
      <strong>{kind}</strong> <span class={`state ${state === 'failed' ? 'cut' : 'open'}`}>{state}</span>, requested{' '}
      <Time at={at} />
      {state === 'running' && total !== undefined && done !== undefined && (
        <progress max={total} value={done} aria-label={`Progress of ${kind}`} />
      )}
      <span class="facts"> {numbers.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ')}</span>
      {error !== null && <span class="problem"> {error}</span>}
    </li>
  );
}
