/** Saves memories as a file with one JSON object on each line, in the form that the import takes. */

/** What both readings give of a memory. */
export type Listed = {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly importance: number;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly timestamp: string;
  readonly metadata: object;
};

export function exportLines(memories: readonly Listed[]): void {
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
