/** Helper functions of service tests that store and read memories through the API. */
import { expect } from 'chai';
import type { startService } from '../../support/processes/service.js';

export type Service = Awaited<ReturnType<typeof startService>>;
export type MemoryRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly relations: readonly unknown[];
};

export const ABSENT_MEMORY_ID = '00000000-0000-4000-8000-00000000dead';

/** Stores a memory and returns its id. */
export async function store(service: Service, body: object = {}): Promise<string> {
  const answer = await service.request('POST', '/memory', {
    body: { content: 'Deploys go through the pipeline', type: 'Decision', ...body },
  });
  expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
  return (answer.body as { readonly memory_id: string }).memory_id;
}

export async function read(service: Service, id: string): Promise<MemoryRecord> {
  const answer = await service.request('GET', `/memory/${id}`);
  expect(answer.status).to.equal(200);
  return (answer.body as { readonly memory: MemoryRecord }).memory;
}

export async function idsByTag(service: Service, tag: string): Promise<readonly string[]> {
  const answer = await service.request('GET', `/memory/by-tag?limit=200&tags=${encodeURIComponent(tag)}`);
  return (answer.body as { readonly memories: readonly { readonly id: string }[] }).memories.map(({ id }) => id);
}

/** Checks status, shape and message of an error body. */
export function expectProblem(
  answer: { readonly status: number; readonly body: unknown },
  status: number,
  message: string | RegExp,
): void {
  expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
  const {
    message: text,
    error,
    code,
  } = answer.body as { readonly message: string; readonly error: string; readonly code: number };
  expect(code).to.equal(status);
  expect(error).to.equal(text);
  if (typeof message === 'string') expect(text).to.equal(message);
  else expect(text).to.match(message);
}
