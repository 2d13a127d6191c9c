/**
 * Changes of several memories: a tag more or less, one new memory in their place, or deletion. Each is a request of its
 * own, a few at a time.
 */
import { useState } from 'preact/hooks';
import type { MemoryId } from '../../../../../shared/contract/memory.js';
import { mapConcurrently } from '../../../../../shared/kernel/concurrency/map-concurrently.js';
import { count, Field, listOf, MemoryLink, ProblemNote } from '../../parts/basics.js';
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
type Outcome = {
  readonly verb: string;
  readonly done: number;
  readonly failures: readonly Failure[];
  /** The memory that replaces them. */
  readonly newer: string | null;
};
type Replacement = { readonly content: string; readonly tags: string[] };
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
  const [isReplacing, setIsReplacing] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { dialog, ask } = useConfirm();
  const chosen = memories.slice(0, BULK_LIMIT);
  const what = count(chosen.length, 'memory', 'memories');

  const run = async (verb: string, change: Change, newer: string | null = null): Promise<void> => {
    let handled = 0;
    setProblem(null);
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
    setOutcome({ verb, done: chosen.length - failures.length, failures, newer });
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

  /** Stores the new memory, then replaces each selected one by it. */
  const supersede = async (replacement: Replacement): Promise<void> => {
    const question = {
      title: `Replace ${what} by one?`,
      detail: 'A new memory is stored. Recalls show it in place of these; they stay in the history of facts.',
      verb: 'Replace',
    };
    if (!(await ask(question))) return;
    setOutcome(null);
    setProgress(0);
    const stored = await call('storeMemory', { body: replacement });
    if (!stored.ok) {
      setProgress(null);
      return setProblem(stored.problem);
    }
    setIsReplacing(false);
    const { memory_id: newer } = stored.body;
    const associate: Change = async ({ id }) =>
      problemOf(
        await call('associate', {
          body: { memory1_id: id, memory2_id: newer, type: 'INVALIDATED_BY', strength: 1 },
        }),
      );
    await run('replaced', associate, newer);
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
            <button
              type="button"
              aria-expanded={isReplacing}
              disabled={progress !== null}
              onClick={() => setIsReplacing(!isReplacing)}
            >
              Replace by one
            </button>
            <button type="button" class="danger" disabled={progress !== null} onClick={() => void remove()}>
              <Icon name="remove" /> Delete …
            </button>
          </div>
          {isReplacing && <ReplaceForm memories={chosen} onSubmit={(given) => void supersede(given)} />}
          <ProblemNote problem={problem} />
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
            {outcome.newer !== null && (
              <>
                {' '}
                <MemoryLink id={outcome.newer}>Open the new memory</MemoryLink>
              </>
            )}
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

type ReplaceProps = {
  readonly memories: readonly Target[];
  readonly onSubmit: (replacement: Replacement) => void;
};

/** Begins with the tags that all of the memories have. */
function ReplaceForm({ memories, onSubmit }: ReplaceProps) {
  const [first, ...others] = memories;
  const common = (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    onSubmit({ content: String(data.get('content') ?? ''), tags: listOf(String(data.get('tags') ?? '')) });
  };
  return (
    <form class="replacement" onSubmit={submit} aria-label="New memory in their place">
      <Field label="Content of the new memory" isWide>
        {(id) => <textarea id={id} name="content" rows={3} dir="auto" required />}
      </Field>
      <Field label="Tags" isWide hint="Separated by commas.">
        {(id) => <input id={id} name="tags" defaultValue={common.join(', ')} />}
      </Field>
      <div class="buttons">
        <button type="submit" class="main">
          Replace {count(memories.length, 'memory', 'memories')} …
        </button>
      </div>
    </form>
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
