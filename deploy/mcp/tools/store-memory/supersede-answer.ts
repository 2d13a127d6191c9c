/** Words the outcome of a superseding call: done, or stopped, with the completed steps and how to continue. */
import { adviceFor, type Failure } from '../../failure-answer.js';
import { failed, present, type ToolAnswer } from '../../tool.js';
import { largeContentWarning, positionIn, sizeContent } from '../fields.js';
import { storedFields, storeNotes } from './store.js';
import type { StoreInput } from './store-schemas.js';
import type { SupersedeOutcome, SupersedeRequest, SupersedeStep } from './supersede.js';

type Outcome<K> = Extract<SupersedeOutcome, { readonly kind: K }>;

export function supersedeAnswer(outcome: SupersedeOutcome, request: SupersedeRequest, given: StoreInput): ToolAnswer {
  return outcome.kind === 'done' ? doneAnswer(outcome, request, given) : stoppedAnswer(outcome, request);
}

function doneAnswer(
  { newId, stored, last, before }: Outcome<'done'>,
  { oldId, relation, memory: { content } }: SupersedeRequest,
  given: StoreInput,
): ToolAnswer {
  const warning = largeContentWarning([sizeContent(content)]);
  const lines = [
    'Memory stored successfully!',
    `Memory ID: ${newId}`,
    `Superseded memory: ${oldId} (${relation})`,
    'Association created: yes',
    ...(before === null
      ? []
      : [
          `Note: ${oldId} had been superseded by ${before} before; both stand as its successors. Supersede ${before} too if it holds no more.`,
        ]),
    ...storeNotes(stored, given),
    ...(warning === null ? [] : [warning]),
  ];
  return {
    text: [lines.join('\n')],
    structured: {
      message: 'Memory stored successfully and the old one superseded',
      memory_id: newId,
      superseded_memory_id: oldId,
      old_memory_updated: true,
      association_created: true,
      ...storedFields(stored, content),
      ...positionIn(last),
    },
  };
}

function stoppedAnswer({ at, failure, newId }: Outcome<'stopped'>, { oldId }: SupersedeRequest): ToolAnswer {
  const isUntouched = at === 'read' || (at === 'store' && failure.effect !== 'unknown');
  const text = isUntouched
    ? [failure.message, 'Nothing was written.', adviceAt(at, failure)]
    : [failure.message, progressOf({ at, failure, newId, oldId }), adviceAt(at, failure), HOW_TO_CONTINUE];
  return failed(
    text.filter((line) => line !== '').join('\n'),
    present({
      error: 'supersede_incomplete',
      message: failure.message,
      superseded_memory_id: oldId,
      memory_id: newId ?? undefined,
      old_memory_updated: isDone('mark', at, failure),
      association_created: isDone('associate', at, failure),
    }),
  );
}

const ORDER: readonly SupersedeStep[] = ['read', 'store', 'mark', 'associate'];

/** Undefined where the effect is not known. */
function isDone(step: SupersedeStep, stoppedAt: SupersedeStep, failure: Failure): boolean | undefined {
  if (step === stoppedAt) return failure.effect === 'unknown' ? undefined : false;
  return ORDER.indexOf(step) < ORDER.indexOf(stoppedAt);
}

type Stop = Pick<Outcome<'stopped'>, 'at' | 'failure' | 'newId'> & { readonly oldId: string };

function progressOf({ at, failure, newId, oldId }: Stop): string {
  const [stored, marked] = [
    `the new memory ${newId ?? ''} is stored`,
    `the old memory ${oldId} is marked as superseded`,
  ];
  // By step: done, not done, not known.
  const sentences = {
    store: [stored, 'the new memory is not stored', 'it is not known whether the new memory is stored'],
    mark: [marked, `the old memory ${oldId} is unchanged`, `it is not known whether ${marked}`],
    associate: ['they are associated', 'they are not associated', 'it is not known whether they are associated'],
  } as const;
  const parts = (['store', 'mark', 'associate'] as const).map((step) => {
    const done = isDone(step, at, failure);
    return sentences[step][done === undefined ? 2 : done ? 0 : 1];
  });
  return `What was done: ${parts.join('; ')}.`;
}

const HOW_TO_CONTINUE =
  'To finish, call store_memory again with the same arguments: it goes on from here and stores no second memory (within 24 hours).';
/** The service answers 409 when this call's idempotency key belongs to a memory that has been deleted. */
const STORED_BEFORE =
  'This very call has stored a memory before, which was deleted since. Store it in other words, or without supersedes_memory_id.';

function adviceAt(at: SupersedeStep, failure: Failure): string {
  return at === 'store' && failure.status === 409 ? STORED_BEFORE : adviceFor(failure);
}
