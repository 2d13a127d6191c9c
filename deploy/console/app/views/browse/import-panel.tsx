/** Stores the memories of a JSONL file in batches. Lines with an `id` keep it, which needs the admin token or a key. */
import { useState } from 'preact/hooks';
import { count, Field, ProblemNote } from '../../parts/basics.js';
import { Icon } from '../../parts/icon.js';
import { call, type Problem } from '../../service/service.js';

const FILE_LIMIT_BYTES = 50_000_000;
const BATCH = 100;

type Line = { readonly id?: string; readonly content: string; readonly [name: string]: unknown };
type Progress = { readonly done: number; readonly total: number; readonly notes: readonly string[] };

export function ImportPanel({ onImported }: { readonly onImported: () => void }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const file = new FormData(event.currentTarget as HTMLFormElement).get('file');
    if (!(file instanceof File) || file.size === 0) return;
    setProgress(null);
    try {
      const lines = await readLines(file);
      setProblem(null);
      setProblem(await importLines(lines, setProgress));
      onImported();
    } catch (error) {
      setProblem({ status: null, message: (error as Error).message });
    }
  };

  return (
    <section class="panel" aria-labelledby="import-title">
      <h2 id="import-title">Import</h2>
      <form onSubmit={(event) => void submit(event)} class="line">
        <Field
          label="JSONL file"
          isWide
          hint="One memory on each line: {“content”: “…”, “tags”: […]}. Lines with an id keep it; that needs the admin token or a key with admin:jobs."
        >
          {(id) => <input id={id} name="file" type="file" accept=".jsonl,.ndjson,.json" required />}
        </Field>
        <button type="submit">
          <Icon name="upload" /> Import
        </button>
      </form>
      {progress !== null && (
        <div role="status">
          <progress max={progress.total} value={progress.done} aria-label="Imported lines" />
          <p>
            {progress.done} of {count(progress.total, 'line')}
          </p>
          {progress.notes.map((note, index) => (
            <p key={index}>{note}</p>
          ))}
        </div>
      )}
      <ProblemNote problem={problem} />
    </section>
  );
}

async function readLines(file: File): Promise<readonly Line[]> {
  if (file.size > FILE_LIMIT_BYTES)
    throw new Error(`The file is larger than ${FILE_LIMIT_BYTES / 1_000_000} MB: split it, or use \`npm run import\`.`);
  const texts = (await file.text()).split('\n').map((text, index) => ({ text: text.trim(), number: index + 1 }));
  return texts
    .filter(({ text }) => text !== '')
    .map(({ text, number }) => {
      try {
        const line = JSON.parse(text) as Line | null;
        if (typeof line?.content === 'string') return line;
      } catch {
        // reported below
      }
      throw new Error(`Line ${number} is not a JSON object with a content. Nothing was imported.`);
    });
}

/** Stops at the first batch that the service refuses, and returns its problem. */
async function importLines(lines: readonly Line[], report: (progress: Progress) => void): Promise<Problem | null> {
  const notes: string[] = [];
  report({ done: 0, total: lines.length, notes });
  for (let start = 0; start < lines.length; start += BATCH) {
    const batch = lines.slice(start, start + BATCH);
    const withId = batch.filter((line): line is Line & { readonly id: string } => line.id !== undefined);
    const withoutId = batch.filter((line) => line.id === undefined);
    if (withId.length > 0) {
      const imported = await call('importRecords', { body: { memories: withId } });
      if (!imported.ok) return imported.problem;
      const { existing, refused } = imported.body.memories;
      if (existing > 0) notes.push(`${count(existing, 'memory', 'memories')} existed already.`);
      for (const { index, reason } of refused) notes.push(`${withId[index]?.id ?? ''} was refused: ${reason}`);
    }
    if (withoutId.length > 0) {
      const stored = await call('storeBatch', { body: { memories: withoutId } });
      if (!stored.ok) return stored.problem;
    }
    report({ done: start + batch.length, total: lines.length, notes: [...notes] });
  }
  return null;
}
