/** Sends the one request of a recall plan to the service and reads its answer. */
import type { ClientAnswer } from '../../../shared/client/client.js';
import { failureAnswer } from '../failure-answer.js';
import { failed, type ToolAnswer, type ToolCall } from '../tool.js';
import { type Found, NOTHING_FETCHED, readPage, readRanked, readSingle } from './found.js';
import type { RecallPlan } from './plan-recall.js';

export type Fetched =
  { readonly isFound: true; readonly found: Found } | { readonly isFound: false; readonly answer: ToolAnswer };

type SendablePlan = Exclude<RecallPlan, { readonly mode: 'refused' }>;

export async function fetchFound(plan: SendablePlan, { client, signal }: ToolCall): Promise<Fetched> {
  switch (plan.mode) {
    case 'ranked':
      return interpret(await client.call('recall', { query: plan.query, signal }), readRanked);
    case 'enumeration':
      return interpret(await client.call('listByTag', { query: plan.query, signal }), readPage);
    case 'id_fetch': {
      const answer = await client.call('getMemory', { params: { id: plan.id }, signal });
      return answer.kind === 'refused' && answer.status === 404
        ? { isFound: true, found: NOTHING_FETCHED }
        : interpret(answer, readSingle);
    }
    default:
      return plan satisfies never;
  }
}

const ADVICE =
  'something else may listen at its address. Try once more; if that does not help, ask the user to check the address of the service';

function interpret(answer: ClientAnswer, reader: (body: unknown) => Found | null): Fetched {
  if (answer.kind !== 'answered') return { isFound: false, answer: failureAnswer(answer) };
  const found = reader(answer.body);
  if (found !== null) return { isFound: true, found };
  return { isFound: false, answer: failed(`The service answered ${answer.status}, but not with memories: ${ADVICE}`) };
}
