/** Calls tools of the bridge as the server does, with a real client, and holds every answer against what the tool has promised. */
import { expect } from 'chai';
import type { Tool, ToolAnswer } from '../../deploy/mcp/tool.js';
import { createClient } from '../../shared/client/create-client.js';
import { createValidator } from '../../shared/kernel/validate.js';

export type Progress = { readonly done: number; readonly total?: number; readonly message: string };
export type Called = ToolAnswer & {
  /** All blocks. */
  readonly all: string;
  // Tests look into answers of every shape; what they read they also assert.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly fields: any;
  readonly progress: readonly Progress[];
};

export type ToolOptions = {
  readonly signal?: AbortSignal;
  readonly token?: string;
  readonly timeoutMs?: number;
  readonly retryDelaysMs?: readonly number[];
  readonly onProgress?: (progress: Progress) => void;
};

export async function callTool(
  tool: Tool,
  input: unknown,
  baseUrl: string,
  options: ToolOptions = {},
): Promise<Called> {
  const {
    signal = new AbortController().signal,
    token = null,
    timeoutMs = 5_000,
    retryDelaysMs = [1, 1, 1],
    onProgress,
  } = options;
  const progress: Progress[] = [];
  const client = createClient({ baseUrl, token, userAgent: 'test', timeoutMs, retryDelaysMs });
  const answer = await tool.call(input, {
    client,
    signal,
    report: (step) => {
      progress.push(step);
      onProgress?.(step);
    },
  });
  if (answer.structured !== undefined || !answer.isError) {
    const checked = createValidator(tool.outputSchema as object)(answer.structured);
    expect(checked.ok ? null : checked.problem.message, JSON.stringify(answer)).to.equal(null);
  }
  return { ...answer, all: answer.text.join('\n'), fields: answer.structured ?? {}, progress };
}

/** Told as existing clients show it, and for that reason. */
export function expectFailed({ isError, all }: Called, reason: RegExp): void {
  expect(isError, all).to.equal(true);
  expect(all)
    .to.match(/^Error: /u)
    .and.match(reason);
}
