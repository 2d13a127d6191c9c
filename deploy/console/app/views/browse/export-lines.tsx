/** Saves memories as a file with one JSON object on each line, in the form that the import takes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, ProblemNote } from '../../parts/basics.js';
import { Icon } from '../../parts/icon.js';
import { call, type Problem } from '../../service/service.js';
import type { ListFilter } from './browse-state.js';

/** Memories of one export of a whole filter. */
const EXPORT_LIMIT = 10_000;
const PAGE = 100;

export type Listed = ReplyOf<'listMemories'>['memories'][number];

type Progress = { readonly read: number; readonly isDone: boolean; readonly isCut: boolean };

/** Reads all memories of the filter page by page, and saves them. */
export function ExportButton({ filter }: { readonly filter: ListFilter }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const cancel = useRef<AbortController | null>(null);
  useEffect(() => () => cancel.current?.abort(), []);
  const run = async (): Promise<void> => {
    const { signal } = (cancel.current = new AbortController());
    setProblem(null);
    setProgress({ read: 0, isDone: false, isCut: false });
    const found: Listed[] = [];
    for (let cursor: string | null = ''; cursor !== null && found.length < EXPORT_LIMIT;) {
      const query: ListFilter = { ...filter, limit: PAGE, ...(cursor !== '' && { cursor }) } as ListFilter;
      const page = await call('listMemories', { query, signal });
      if (signal.aborted) return;
      if (!page.ok) {
        setProgress(null);
        return setProblem(page.problem);
      }
      found.push(...page.body.memories);
      cursor = page.body.next_cursor;
      setProgress({ read: found.length, isDone: false, isCut: cursor !== null });
    }
    saveLines(found);
    setProgress((last) => last && { ...last, isDone: true });
  };
  const isRunning = progress !== null && !progress.isDone;
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => void run()}>
        <Icon name="download" /> Export all as JSONL
      </button>
      <span role="status">
        {progress !== null && `${count(progress.read, 'memory', 'memories')} ${isRunning ? 'read …' : 'exported.'}`}
        {progress?.isDone === true && progress.isCut && ' More than an export holds: narrow the filter.'}
      </span>
      <ProblemNote problem={problem} />
    </>
  );
}

export function saveLines(memories: readonly Listed[]): void {
  const lines = memories.map(({ id, content, type, importance, confidence, tags, timestamp, metadata }) =>
    JSON.stringify({ id, content, type, importance, confidence, tags, timestamp, metadata }),
  );
  const url = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'memories.jsonl';
  link.click();
  URL.revokeObjectURL(url);
}
