/** Short HTTP calls for the journeys. Each expects a success status. */
import { expect } from 'chai';
import type { Running } from '../support/adapters/compositions.js';

export type Result = {
  readonly id: string;
  readonly match_type: string;
  readonly memory: { readonly content: string };
  readonly relations: readonly { readonly type: string; readonly memory: { readonly id: string } }[];
};

/** Pairs, for a repeated parameter. */
export type Parameters = Record<string, string> | [string, string][];

export async function ask(service: Running, method: string, path: string, body?: object) {
  const answer = await service.request(method, path, body === undefined ? {} : { body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.be.within(200, 299);
  return answer.body;
}

export async function store(service: Running, memory: object): Promise<string> {
  return (await ask(service, 'POST', '/memory', memory)).memory_id;
}

export async function recall(service: Running, parameters: Parameters): Promise<readonly Result[]> {
  return (await ask(service, 'GET', `/recall?${new URLSearchParams(parameters)}`)).results;
}

export function idsOf(results: readonly Result[]): readonly string[] {
  return results.map(({ id }) => id);
}
