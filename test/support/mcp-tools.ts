/** Tools made by hand, one for each thing that a tool can do to the server above it. */
import { createTool, type ObjectSchema, type Tool, type ToolCall } from '../../deploy/mcp/tool.js';

const OPEN_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: { message: { type: 'string', accepts: 'any_case' } },
  required: ['message'],
};
const NO_INPUT: ObjectSchema = { type: 'object', properties: {}, additionalProperties: false };

type Answering = (call: ToolCall) => ReturnType<Tool['call']>;

export function makeTool(
  name: string,
  run: Answering,
  schemas: Partial<Pick<Tool, 'inputSchema' | 'outputSchema'>> = {},
): Tool {
  return createTool({
    name,
    title: name,
    description: `Does what a test of ${name} needs.`,
    hints: { readOnly: true, destructive: false, idempotent: true },
    inputSchema: NO_INPUT,
    outputSchema: OPEN_SCHEMA,
    ...schemas,
    run: (_input, call) => run(call),
  });
}

/** Tells three steps, the second of them twice. */
export const steps = makeTool('steps', async ({ report }) => {
  for (const done of [1, 2, 2, 3]) report({ done, total: 3, message: `step ${done}` });
  return { text: ['done'], structured: { message: 'done' } };
});

export const broken = makeTool('broken', async () => {
  throw new Error('a fault that nobody outside may read of');
});

export const shapeless = makeTool('shapeless', async () => ({ text: ['It was stored.'], structured: { memory: 1 } }));

export const refusing = makeTool('refusing', async () => ({
  text: ['Error: no'],
  structured: { memory: 1 },
  isError: true,
}));

/** Asks the service for its health with the token of the caller, and tells with which status it answered. */
export const asking = makeTool('asking', async ({ client, signal }) => {
  const { kind, status } = await client.call('listByTag', { query: { tags: ['any'] }, signal });
  return { text: [`${kind} ${status}`], structured: { message: `${kind} ${status}` } };
});

export type Held = {
  readonly tool: Tool;
  readonly calls: () => number;
  readonly aborted: () => number;
  readonly release: () => void;
};

/** Takes until it is released or aborted. */
export function makeHeld(): Held {
  let [calls, aborted] = [0, 0];
  const waiting = new Set<() => void>();
  const tool = makeTool(
    'held',
    ({ signal }) =>
      new Promise((resolve, reject) => {
        calls += 1;
        waiting.add(() => resolve({ text: ['released'], structured: { message: 'released' } }));
        signal.addEventListener('abort', () => {
          aborted += 1;
          reject(new Error('cancelled'));
        });
      }),
  );
  return { tool, calls: () => calls, aborted: () => aborted, release: () => waiting.forEach((resolve) => resolve()) };
}
