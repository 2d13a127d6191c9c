/** Changes of several memories: a tag more or less, or deletion. Each is a request of its own, a few at a time. */
import { useState } from 'preact/hooks';
import type { MemoryId } from '../../../../../shared/contract/memory.js';
import { mapConcurrently } from '../../../../../shared/kernel/concurrency/map-concurrently.js';
import { count, MemoryLink } from '../../parts/basics.js';
import { useConfirm } from '../../parts/confirm.js';
import { Icon } from '../../parts/icon.js';
import { call, type Problem, type Result } from '../../service/service.js';
import { type Listed, saveLines } from './export-lines.js';

/** Memories of one action. */
const BULK_LIMIT = 100;
const AT_ONCE = 4;
/** How often a change of tags is tried when another client changes the same memory. */
const ATTEMPTS = 3;

type Target = Listed & { readonly id: MemoryId };
type Failure = { readonly id: MemoryId; readonly problem: Problem };
type Outcome = { readonly verb: string; readonly done: number; readonly failures: readonly Failure[] };
type Change = (memory: Target) => Promise<Problem | null>;

type Props = {
  readonly memories: readonly Target[];
  /** `failed`: the memories that stay selected. */
  readonly onDone: (failed: readonly MemoryId[]) => void;
};

export function BulkActions({ memories, onDone }: Props) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [tag, setTag] = useState('');
  const { dialog, ask } = useConfirm();
  const chosen = memories.slice(0, BULK_LIMIT);
  const what = count(chosen.length, 'memory', 'memories');

  const run = async (verb: string, change: Change): Promise<void> => {
    let handled = 0;
    setOutcome(null);
    setProgress(0);
    const problems = await mapConcurrently(chosen, AT_ONCE, async (memory) => {
      const problem = await change(memory);
      handled += 1;
      setProgress(handled);
      return problem;
    });
    const failures = chosen.flatMap(({ id }, index) => {
      const problem = problems[index];
      return problem ? [{ id, problem }] : [];
    });
    setProgress(null);
    setOutcome({ verb, done: chosen.length - failures.length, failures });
    onDone(failures.map(({ id }) => id));
  };

  const remove = async (): Promise<void> => {
    const question = {
      title: `Delete ${what}?`,
      detail: 'Their associations and vectors are deleted with them.',
      verb: 'Delete',
    };
    if (await ask(question))
      await run('deleted', async ({ id }) => problemOf(await call('deleteMemory', { params: { id } })));
  };

  return (
    <>
      {dialog}
      {chosen.length > 0 && (
        <div class="panel line bulk" role="group" aria-label="Selected memories">
          <p>{what} selected</p>
          <input
            aria-label="Tag to add or remove"
            placeholder="Tag"
            value={tag}
            onInput={(event) => setTag(event.currentTarget.value)}
          />
          <div class="buttons">
            <button
              type="button"
              disabled={tag.trim() === '' || progress !== null}
              onClick={() =>
                void run(
                  'tagged',
                  changeTags((tags) => [...tags, tag.trim()]),
                )
              }
            >
              Add tag
            </button>
            <button
              type="button"
              disabled={tag.trim() === '' || progress !== null}
              onClick={() =>
                void run(
                  'changed',
                  changeTags((tags) => tags.filter((each) => each.toLowerCase() !== tag.trim().toLowerCase())),
                )
              }
            >
              Remove tag
            </button>
            <button type="button" disabled={progress !== null} onClick={() => saveLines(chosen)}>
              Export {what}
            </button>
            <button type="button" class="danger" disabled={progress !== null} onClick={() => void remove()}>
              <Icon name="remove" /> Delete …
            </button>
          </div>
        </div>
      )}
      <div role="status">
        {progress !== null && (
          <p>
            {progress} of {what}
          </p>
        )}
        {outcome !== null && (
          <p class={outcome.failures.length === 0 ? 'note good' : 'note'}>
            {count(outcome.done, 'memory', 'memories')} {outcome.verb}
            {outcome.failures.length > 0 && `, ${outcome.failures.length} failed`}.
          </p>
        )}
      </div>
      {outcome !== null && outcome.failures.length > 0 && (
        <ul class="note problem" aria-label="Failures">
          {outcome.failures.map(({ id, problem }) => (
            <li key={id}>
              <MemoryLink id={id} />: {problem.message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Replaces the tags that the memory has at the time of the change, because other clients change them as well. */
function changeTags(change: (tags: readonly string[]) => readonly string[]): Change {
  return async ({ id }) => {
    const params = { id };
    for (let attempt = 1; ; attempt += 1) {
      const read = await call('getMemory', { params });
      if (!read.ok) return read.problem;
      const { tags } = read.body.memory;
      const changed = [...new Set(change(tags))];
      if (changed.length === tags.length && changed.every((tag, index) => tag === tags[index])) return null;
      const ifMatch = read.headers.get('etag');
      const written = await call('updateMemory', {
        params,
        body: { tags: changed },
        ...(ifMatch === null ? {} : { ifMatch }),
      });
      if (written.ok) return null;
      if (written.problem.status !== 412 || attempt === ATTEMPTS) return written.problem;
    }
  };
}

function problemOf(result: Result<unknown>): Problem | null {
  return result.ok ? null : result.problem;
}
