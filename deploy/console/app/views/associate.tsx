/** Associates a memory with another one, which is found by its id or by words. */
import { useState } from 'preact/hooks';
import { Field, MemoryLink, ProblemNote, ReadingState, ShareField, shorten } from '../parts/basics.js';
import { call, isMemoryId, memoryId, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { fullResultsOf } from './recall/recalled.js';

const RESULTS = 10;
const CONTENT_LENGTH = 120;

type Found = { readonly id: string; readonly content: string };
type Props = { readonly id: string; readonly onAssociated: () => void };

export function AssociateForm({ id, onAssociated }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Associate with another memory</summary>
      {isOpen && <Associate id={id} onAssociated={onAssociated} />}
    </details>
  );
}

function Associate({ id, onAssociated }: Props) {
  const [found, setFound] = useState<readonly Found[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState<{ readonly type: string; readonly to: Found } | null>(null);

  const find = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('other') ?? '').trim();
    const result = await findMemories(text);
    setDone(null);
    setProblem('problem' in result ? result.problem : null);
    const others = 'found' in result ? result.found.filter((each) => each.id !== id) : null;
    setFound(others);
    setChosen(others?.[0]?.id ?? null);
  };
  const associate = async (type: string, strength: number): Promise<void> => {
    const to = found?.find((each) => each.id === chosen);
    if (to === undefined) return;
    const body = { memory1_id: id, memory2_id: to.id, type, strength };
    const result = await call('associate', { body });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    setFound(null);
    setDone({ type, to });
    onAssociated();
  };

  return (
    <>
      <form class="line" onSubmit={(event) => void find(event)}>
        <Field label="Other memory: its id, or words" isWide>
          {(field) => <input id={field} name="other" type="search" required />}
        </Field>
        <button type="submit">Find</button>
      </form>
      <div role="status">
        {found?.length === 0 && <p>No other memory found.</p>}
        {done !== null && (
          <p class="note good">
            Associated: {done.type} <MemoryLink id={done.to.id}>{shorten(done.to.content, CONTENT_LENGTH)}</MemoryLink>
          </p>
        )}
      </div>
      {found !== null && found.length > 0 && (
        <>
          <fieldset>
            <legend>Memories found</legend>
            {found.map((each) => (
              <label key={each.id} class="choice" dir="auto">
                <input type="radio" name="chosen" checked={each.id === chosen} onChange={() => setChosen(each.id)} />{' '}
                {shorten(each.content, CONTENT_LENGTH)}
              </label>
            ))}
          </fieldset>
          <RelationForm onSubmit={associate} />
        </>
      )}
      <ProblemNote problem={problem} />
    </>
  );
}

function RelationForm({ onSubmit }: { readonly onSubmit: (type: string, strength: number) => Promise<void> }) {
  const reading = useRead('relations', (signal) => call('listGraphRelations', { signal }));
  if (reading.body === null) return <ReadingState reading={reading} what="the types of associations" />;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    void onSubmit(String(data.get('type')), Number(data.get('strength')));
  };
  return (
    <form onSubmit={submit}>
      <div class="fields">
        <Field label="This memory …" hint="The association leads from this memory to the other one.">
          {(id) => (
            <select id={id} name="type">
              {reading.body?.relations.map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ShareField label="Strength" name="strength" hint="From 0 to 1." value="0.5" />
      </div>
      <div class="buttons">
        <button type="submit" class="main">
          Associate
        </button>
      </div>
    </form>
  );
}

async function findMemories(
  text: string,
): Promise<{ readonly found: readonly Found[] } | { readonly problem: Problem }> {
  if (isMemoryId(text)) {
    const result = await call('getMemory', { params: { id: memoryId(text.toLowerCase()) } });
    return result.ok ? { found: [result.body.memory] } : { problem: result.problem };
  }
  const result = await call('recall', { query: { query: text, limit: RESULTS } });
  if (!result.ok) return { problem: result.problem };
  return { found: fullResultsOf(result.body).map(({ memory }) => memory) };
}
