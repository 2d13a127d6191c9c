/**
 * Both compositions answer 105 questions about conversations with the same results, in the same order and with the same
 * scores.
 */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { createConversations } from '../../support/fixtures/conversations.js';
import { seededRandom } from '../../support/fixtures/random.js';
import {
  areBothWanted,
  type BothCompositions,
  expectEqualAnswers,
  openBothCompositions,
  type Parameters,
} from '../../support/processes/both-compositions.js';

/** A question with both names of the first conversation has more matches than an engine selects without a filter. */
const SIZES = [700, 120, 80, 40];
const QUESTIONS = 105;
const DIMENSION = 64;

/** Every question has one of these, in turn. */
const VARIANTS: readonly Parameters[] = [
  {},
  { limit: '20' },
  { limit: '10', start: '2024-01-20T00:00:00Z' },
  { limit: '10', distinct_by: 'none' },
  { limit: '10', state_mode: 'history' },
  { limit: '10', auto_decompose: 'true' },
  { limit: '10', sort: 'time_desc' },
];

if (areBothWanted()) {
  describe('conversations in both compositions', () => {
    const { memories, ask } = createConversations(seededRandom(17), SIZES);
    let both: BothCompositions;
    before(async () => {
      both = await openBothCompositions({ embedder: withoutTies(createWordHashEmbedder(DIMENSION)), memories });
    });
    after(() => both?.close());

    it(`return equal ids and scores for ${QUESTIONS} questions`, async () => {
      const requests = Array.from({ length: QUESTIONS }, (_, index) => ({
        ...ask(),
        ...VARIANTS[index % VARIANTS.length],
      }));
      const answers = await both.recall(requests);
      expect(answers.filter(({ one }) => one.ids.length >= 5).length).to.be.above(0.9 * QUESTIONS);
      answers.forEach(expectEqualAnswers);
    });
  });
}

/** Adds a small part of each text's own, because engines round equal similarities differently. */
function withoutTies(embedder: Embedder): Embedder {
  return {
    ...embedder,
    embed: async (texts, options) => {
      const vectors = await embedder.embed(texts, options);
      return vectors.map((vector, index) => vector.map((value, at) => value + ownPart(texts[index] ?? '', at)));
    },
  };
}

function ownPart(text: string, at: number): number {
  return (
    createHash('sha512')
      .update(text)
      .digest()
      .readUInt8(at % 64) / 2_000
  );
}
