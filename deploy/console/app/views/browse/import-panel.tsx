/**
 * Stores the memories of a JSONL file in batches. Lines with an `id` keep it, which needs the admin token or a key. A
 * line that the service refuses is named with the reason, and the rest is imported.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, Field, ProblemNote } from '../../parts/basics.js';
import { Icon } from '../../parts/icon.js';
import { call, type Problem } from '../../service/service.js';

const FILE_LIMIT_BYTES = 50_000_000;
const BATCH = 100;
/** Failed lines that the page names. */
const FAILURES_SHOWN = 100;

/** `number`: of the line in the file, from 1. */
type Line = { readonly number: number; readonly memory: Memory };
type Memory = { readonly id?: string; readonly content: string; readonly [name: string]: unknown };
type Failure = { readonly number: number; readonly reason: string };
type Progress = {
  readonly done: number;
  readonly total: number;
  readonly existing: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
};

export function ImportPanel({ onImported }: { readonly onImported: () => void }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const cancel = useRef<AbortController | null>(null);
  useEffect(() => () => cancel.current?.abort(), []);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const file = new FormData(event.currentTarget as HTMLFormElement).get('file');
    if (!(file instanceof File) || file.size === 0 || isRunning) return;
    const { signal } = (cancel.current = new AbortController());
    setProgress(null);
    setProblem(null);
    setIsRunning(true);
    try {
      const lines = await readLines(file);
      const failed = await importLines(lines, setProgress, signal);
      if (signal.aborted) return;
      setProblem(failed);
      onImported();
    } catch (error) {
      setProblem({ status: null, message: (error as Error).message });
    } finally {
      setIsRunning(false);
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
        <button type="submit" disabled={isRunning}>
          <Icon name="upload" /> Import
        </button>
      </form>
      {progress !== null && <ImportProgress progress={progress} />}
      <ProblemNote problem={problem} />
    </section>
  );
}

function ImportProgress({ progress }: { readonly progress: Progress }) {
  const { done, total, existing, failures, seconds } = progress;
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  return (
    <>
      <div role="status">
        <progress max={total} value={done} aria-label="Imported lines" />
        <p>
          {done} of {count(total, 'line')}
          {rate > 0 && `, ${rate.toLocaleString('en')} a second`}
          {failures.length > 0 && `, ${failures.length} refused`}
        </p>
        {existing > 0 && <p>{count(existing, 'memory', 'memories')} existed already.</p>}
      </div>
      {failures.length > 0 && (
        <ul class="note problem" aria-label="Refused lines">
          {failures.slice(0, FAILURES_SHOWN).map(({ number, reason }) => (
            <li key={number}>
              Line {number}: {reason}
            </li>
          ))}
          {failures.length > FAILURES_SHOWN && <li>{failures.length - FAILURES_SHOWN} further lines</li>}
        </ul>
      )}
    </>
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
        const memory = JSON.parse(text) as Memory | null;
        if (typeof memory?.content === 'string') return { number, memory };
      } catch {
        // reported below
      }
      throw new Error(`Line ${number} is not a JSON object with a content. Nothing was imported.`);
    });
}

/** Stops at a failure that is not about a line, such as a wrong token, and returns it. */
async function importLines(
  lines: readonly Line[],
  report: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Problem | null> {
  const startedAt = performance.now();
  const failures: Failure[] = [];
  let existing = 0;
  const reportAt = (done: number): void =>
    report({
      ...{ done, total: lines.length, existing, failures: [...failures] },
      seconds: (performance.now() - startedAt) / 1_000,
    });
  reportAt(0);
  for (let start = 0; start < lines.length && !signal.aborted; start += BATCH) {
    const batch = lines.slice(start, start + BATCH);
    for (const send of [sendWithIds, sendWithoutIds]) {
      const sent = await send(batch);
      if ('problem' in sent) return sent.problem;
      existing += sent.existing;
      failures.push(...sent.failures);
    }
    reportAt(start + batch.length);
  }
  return null;
}

type Sent = { readonly existing: number; readonly failures: readonly Failure[] } | { readonly problem: Problem };

async function sendWithIds(batch: readonly Line[]): Promise<Sent> {
  const lines = batch.filter(({ memory }) => memory.id !== undefined);
  if (lines.length === 0) return { existing: 0, failures: [] };
  const memories = lines.map(({ memory }) => memory as Memory & { readonly id: string }); // filtered above
  const imported = await call('importRecords', { body: { memories } });
  if (!imported.ok) return sendHalves(lines, imported.problem, sendWithIds);
  const { existing, refused } = imported.body.memories;
  return { existing, failures: refused.map(({ index, reason }) => ({ number: lines[index]?.number ?? 0, reason })) };
}

async function sendWithoutIds(batch: readonly Line[]): Promise<Sent> {
  const lines = batch.filter(({ memory }) => memory.id === undefined);
  if (lines.length === 0) return { existing: 0, failures: [] };
  const stored = await call('storeBatch', { body: { memories: lines.map(({ memory }) => memory) } });
  return stored.ok ? { existing: 0, failures: [] } : sendHalves(lines, stored.problem, sendWithoutIds);
}

/** The service refuses a batch for one bad line: sends both halves alone, until the line is found. */
async function sendHalves(
  lines: readonly Line[],
  problem: Problem,
  send: (lines: readonly Line[]) => Promise<Sent>,
): Promise<Sent> {
  const isAboutLine = problem.status === 400 || problem.status === 413;
  const [line] = lines;
  if (!isAboutLine || line === undefined) return { problem };
  if (lines.length === 1) return { existing: 0, failures: [{ number: line.number, reason: problem.message }] };
  const middle = lines.length >> 1;
  const first = await send(lines.slice(0, middle));
  if ('problem' in first) return first;
  const second = await send(lines.slice(middle));
  if ('problem' in second) return second;
  return { existing: first.existing + second.existing, failures: [...first.failures, ...second.failures] };
}
