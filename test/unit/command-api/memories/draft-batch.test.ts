import { expect } from 'chai';
import { draftBatch } from '../../../../command-api/memories/store-memory.js';
import { ValidationError } from '../../../../shared/kernel/errors.js';
import { rejection } from '../../../support/checks/rejection.js';
import { LIMITS } from '../fixtures.js';

const GOOD = { content: 'good' };

const levelledTags = (memory: number): string[] =>
  Array.from({ length: 40 }, (_, tag) => [memory, tag, ...'abcdefghijklmn'].join(':'));

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ['a value that is not an array', 'memories', "'memories' must be a non-empty array"],
  ['an empty array', [], "'memories' must be a non-empty array"],
  ['501 items', Array.from({ length: 501 }, () => GOOD), 'Batch size limit is 500 memories per request'],
  ['an item that is not an object', [GOOD, 'text'], 'Memory at index 1 must be an object'],
  ['an item without content', [GOOD, {}], "Memory at index 1 missing 'content'"],
  ['an item with blank content', [{ content: ' ' }], "Memory at index 0 missing 'content'"],
  [
    'an item above the hard limit',
    [{ content: 'x'.repeat(2001) }],
    'Memory at index 0 exceeds content limit (2001/2000)',
  ],
  ['an unknown type', [GOOD, { ...GOOD, type: 'Banana' }], "Memory at index 1 is invalid: 'type' must be one of"],
  [
    'tags of another type',
    [{ ...GOOD, tags: [1] }],
    "Memory at index 0 is invalid: 'tags' must be a list of strings or a single string",
  ],
  [
    'importance out of range',
    [{ ...GOOD, importance: 2 }],
    "Memory at index 0 is invalid: 'importance' must be between 0 and 1",
  ],
  [
    'importance that is not a number',
    [{ ...GOOD, importance: 'much' }],
    "Memory at index 0 is invalid: 'importance' must be a number",
  ],
  [
    'metadata that is not an object',
    [{ ...GOOD, metadata: [] }],
    "Memory at index 0 is invalid: 'metadata' must be an object",
  ],
  [
    'tags with more levels than one transaction takes',
    Array.from({ length: 100 }, (_, index) => ({ ...GOOD, tags: levelledTags(index) })),
    'The tags of a batch must have at most 60000 levels together (64000 provided)',
  ],
  ['a bad timestamp', [{ ...GOOD, timestamp: 'soon' }], 'Memory at index 0 is invalid: Invalid ISO timestamp'],
];

describe('draftBatch', () => {
  for (const [fault, memories, message] of REFUSED) {
    it(`refuses ${fault}`, async () => {
      const error = await rejection(draftBatch(memories, LIMITS, null));
      expect(error).to.be.instanceOf(ValidationError);
      expect(error.message.startsWith(message), error.message).to.equal(true);
    });
  }

  it('names the first invalid item and its field', async () => {
    const memories = [GOOD, { ...GOOD, importance: -1 }, {}];

    expect(await rejection(draftBatch(memories, LIMITS, null)))
      .to.be.instanceOf(ValidationError)
      .with.property('field', 'memories[1].importance');
  });

  it('accepts the values of the single route and ignores fields unknown to a batch', async () => {
    const [one] = await draftBatch(
      [
        {
          content: ' x ',
          type: 'milestone',
          tags: 'a',
          importance: '0.7',
          timestamp: '2024-01-01',
          metadata: null,
          embedding: [1],
          t_valid: 'soon',
        },
      ],
      LIMITS,
      null,
    );

    expect(one).to.deep.include({
      content: 'x',
      type: 'Context',
      tags: ['a'],
      importance: 0.7,
      timestamp: '2024-01-01T00:00:00+00:00',
      metadata: {},
      vector: null,
      t_valid: null,
    });
  });
});
