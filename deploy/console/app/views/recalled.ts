/** What the parts of the recall lab share: the request, the form of a result, and states in words. */
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import type { Parameters } from '../service/route.js';

export type FullResult = Extract<ReplyOf<'recall'>['results'][number], { readonly memory: object }>;

/** The client sends values as text; the names and forms are those of the contract. */
export function recallQueryOf({ tags = '', ...others }: Parameters): object {
  const list = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return { ...others, tags: list, state_debug: true };
}

const STATE_REASONS: Readonly<Record<string, string>> = {
  superseded: 'is replaced by',
  archived: 'is archived',
  expired: 'is no longer valid: its t_invalid has passed',
  not_yet_valid: 'is not valid yet: its t_valid is in the future',
};

export function stateReason(reason: string): string {
  return STATE_REASONS[reason] ?? reason;
}
