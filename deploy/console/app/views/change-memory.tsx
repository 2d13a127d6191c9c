/**
 * Edit, supersede and delete a memory. Each change names the version that the user saw, so no change of another client
 * is lost.
 */
import { useState } from 'preact/hooks';
import { MEMORY_TYPES, type MemoryType } from '../../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { Field, listOf, ProblemNote, ShareField } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { Icon } from '../parts/icon.js';
import { goTo, hrefOf } from '../service/route.js';
import { call, memoryId, type Problem } from '../service/service.js';

type Memory = ReplyOf<'getMemory'>['memory'];
type Props = { readonly memory: Memory; readonly etag: string | null; readonly onChanged: () => void };
type Mode = 'none' | 'edit' | 'supersede';
/** The fields that the user changed; for a new memory all of them. */
type Edited = Partial<Pick<Memory, 'content' | 'importance' | 'metadata'> & { type: MemoryType; tags: string[] }>;

const CONFLICT = 412;

export function ChangeMemory({ memory, etag, onChanged }: Props) {
  const [mode, setMode] = useState<Mode>('none');
  const [problem, setProblem] = useState<Problem | null>(null);
  /** An edit that another client's change came before. */
  const [conflict, setConflict] = useState<Edited | null>(null);
  const { dialog, ask } = useConfirm();
  const params = { id: memoryId(memory.id) };
  const condition = etag === null ? {} : { ifMatch: etag };

  const open = (next: Mode): void => {
    setMode(next === mode ? 'none' : next);
    setProblem(null);
    setConflict(null);
  };
  const close = (): void => {
    open('none');
    onChanged();
  };

  const update = async (edited: Edited, ifMatch: { readonly ifMatch?: string }): Promise<void> => {
    const result = await call('updateMemory', { params, body: { ...edited }, ...ifMatch });
    if (result.ok) return close();
    setConflict(result.problem.status === CONFLICT ? edited : null);
    setProblem(result.problem.status === CONFLICT ? null : result.problem);
  };
  const save = async (edited: Edited): Promise<void> => {
    const detail = 'A new version is written; the history keeps the old one.';
    if (await ask({ title: 'Save this change?', detail, verb: 'Save' })) await update(edited, condition);
  };

  const supersede = async (edited: Edited): Promise<void> => {
    const detail =
      'A new memory is stored. Recalls show it in place of this one; this one stays in the history of facts.';
    if (!(await ask({ title: 'Replace this memory by a new one?', detail, verb: 'Supersede' }))) return;
    const stored = await call('storeMemory', { body: { content: '', ...edited } as { content: string } });
    if (!stored.ok) return setProblem(stored.problem);
    const { memory_id: newer } = stored.body;
    const body = { memory1_id: memory.id, memory2_id: newer, type: 'INVALIDATED_BY', strength: 1 };
    const associated = await call('associate', { body });
    if (!associated.ok) return setProblem(associated.problem);
    goTo(hrefOf('memory', newer));
  };

  const remove = async (): Promise<void> => {
    const detail = 'Its associations and its vector are deleted, too. Its content is erased from the history.';
    if (!(await ask({ title: 'Delete this memory?', detail, verb: 'Delete' }))) return;
    const result = await call('deleteMemory', { params, ...condition });
    if (result.ok) return goTo(hrefOf('browse'));
    if (result.problem.status === CONFLICT) onChanged();
    setProblem(result.problem);
  };

  return (
    <section class="panel" aria-label="Changes">
      <div class="buttons">
        <button type="button" aria-expanded={mode === 'edit'} onClick={() => open('edit')}>
          <Icon name="edit" /> Edit
        </button>
        <button type="button" aria-expanded={mode === 'supersede'} onClick={() => open('supersede')}>
          <Icon name="supersede" /> Supersede
        </button>
        <button type="button" class="danger" onClick={() => void remove()}>
          <Icon name="remove" /> Delete
        </button>
      </div>
      {mode === 'edit' && <MemoryForm memory={memory} verb="Save" onSubmit={save} onProblem={setProblem} />}
      {mode === 'supersede' && (
        <MemoryForm memory={memory} isNew verb="Supersede" onSubmit={supersede} onProblem={setProblem} />
      )}
      {conflict !== null && (
        <div class="note problem" role="alert">
          <p>Another client changed this memory after you opened it. Which version is to stay?</p>
          <div class="buttons">
            <button type="button" onClick={close}>
              Theirs: drop my change
            </button>
            <button type="button" onClick={() => void update(conflict, { ifMatch: '*' })}>
              Mine: write it over theirs
            </button>
          </div>
        </div>
      )}
      <ProblemNote problem={problem} />
      {dialog}
    </section>
  );
}

type FormProps = {
  readonly memory: Memory;
  readonly isNew?: boolean;
  readonly verb: string;
  readonly onSubmit: (edited: Edited) => Promise<void>;
  readonly onProblem: (problem: Problem | null) => void;
};

function MemoryForm({ memory, isNew = false, verb, onSubmit, onProblem }: FormProps) {
  const [metadata] = useState(() => JSON.stringify(memory.metadata, null, 2));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const textAt = (name: string): string => String(data.get(name) ?? '');
    const type = MEMORY_TYPES.find((each) => each === textAt('type'));
    // What was not touched is not sent, so that the edit says nothing about it.
    const has = (name: string, shown: string): boolean => isNew || textAt(name) !== shown;
    try {
      const edited: Edited = {
        ...(has('content', memory.content) && { content: textAt('content') }),
        ...(has('importance', String(memory.importance)) && { importance: Number(textAt('importance')) }),
        ...(has('tags', memory.tags.join(', ')) && { tags: listOf(textAt('tags')) }),
        ...(has('metadata', metadata) && { metadata: JSON.parse(textAt('metadata')) as Memory['metadata'] }),
        ...(type !== undefined && type !== memory.type && { type }),
      };
      const isEmpty = Object.keys(edited).length === 0;
      onProblem(isEmpty ? { status: null, message: 'Nothing is changed yet.' } : null);
      if (!isEmpty) void onSubmit(edited);
    } catch (error) {
      onProblem({ status: null, message: `The metadata is not JSON: ${(error as Error).message}` });
    }
  };
  return (
    <form onSubmit={submit}>
      <Field label={isNew ? 'Content of the new memory' : 'Content'} isWide>
        {(id) => <textarea id={id} name="content" rows={5} dir="auto" required defaultValue={memory.content} />}
      </Field>
      <div class="fields">
        <Field label="Tags" hint="Separated by commas.">
          {(id) => <input id={id} name="tags" defaultValue={memory.tags.join(', ')} />}
        </Field>
        <ShareField label="Importance" name="importance" hint="From 0 to 1." value={String(memory.importance)} />
        {!isNew && (
          <Field label="Type">
            {(id) => (
              <select id={id} name="type">
                {[...new Set([memory.type, ...MEMORY_TYPES])].map((type) => (
                  <option key={type} value={type} selected={type === memory.type}>
                    {type}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      <Field label="Metadata (JSON)" isWide>
        {(id) => <textarea id={id} name="metadata" class="code" rows={4} defaultValue={metadata} />}
      </Field>
      <div class="buttons">
        <button type="submit" class="main">
          {verb} …
        </button>
      </div>
    </form>
  );
}
