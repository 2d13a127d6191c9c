/** Finds memories by words, with a recall, and selects the best one. */
import { useState } from 'preact/hooks';
import { Field, ProblemNote, shorten } from '../parts/basics.js';
import { call, type Problem } from '../service/service.js';
import { fullResultsOf } from '../views/recall/recalled.js';

const RESULTS = 10;
const CONTENT_LENGTH = 80;

type Found = { readonly id: string; readonly content: string };

export function Find({ onSelect }: { readonly onSelect: (id: string) => void }) {
  const [found, setFound] = useState<readonly Found[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const query = String(new FormData(event.currentTarget as HTMLFormElement).get('query') ?? '').trim();
    if (query === '') return;
    const result = await call('recall', { query: { query, limit: RESULTS } });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    const memories = fullResultsOf(result.body).map(({ memory }) => memory);
    setFound(memories);
    if (memories[0] !== undefined) onSelect(memories[0].id);
  };
  return (
    <div class="panel">
      <form class="line" onSubmit={(event) => void submit(event)}>
        <Field label="Find" isWide>
          {(id) => <input id={id} name="query" type="search" required />}
        </Field>
        <button type="submit">Find</button>
      </form>
      <ProblemNote problem={problem} />
      {found !== null && (
        <details>
          <summary role="status">
            {found.length === 0 ? 'Nothing found.' : `${found.length} found, the first is selected`}
          </summary>
          <ul>
            {found.map(({ id, content }) => (
              <li key={id}>
                <button type="button" class="plain" dir="auto" onClick={() => onSelect(id)}>
                  {shorten(content, CONTENT_LENGTH)}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
