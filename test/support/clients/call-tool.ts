/** Calls a tool of the bridge with a real HTTP client, and checks its answer against the output schema of the tool. */
import { expect } from 'chai';
import type { Tool, ToolAnswer } from '../../../deploy/mcp/tool.js';
import { createClient } from '../../../shared/client/http-client.js';
import { createValidator } from '../../../shared/kernel/validation/validate.js';

export type Progress = { readonly done: number; readonly total?: number; readonly message: string };
export type ToolResult = ToolAnswer & {
  /** All text blocks, joined with newlines. */
  readonly fullText: string;
  // Tests read answers of any shape and assert the parts that they read.
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
): Promise<ToolResult> {
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
  return { ...answer, fullText: answer.text.join('\n'), fields: answer.structured ?? {}, progress };
}

/** Expects an error result in the form that existing clients show, with this reason. */
export function expectFailed({ isError, fullText: all }: ToolResult, reason: RegExp): void {
  expect(isError, all).to.equal(true);
  expect(all)
    .to.match(/^Error: /u)
    .and.match(reason);
}
