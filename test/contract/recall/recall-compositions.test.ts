/**
 * Recall returns the same results in both compositions: the same memories and questions with the embedded engines and
 * with the servers. When the pools hold all admitted memories, the results are equal. When the pools are cut without a
 * filter, results may differ: each engine measures the length of a text in its own way.
 */
import { expect } from 'chai';
import { corpusMemory, corpusQuestion } from '../../bench/corpus/corpus.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { seededRandom } from '../../support/fixtures/random.js';
import {
  areBothWanted,
  type BothCompositions,
  expectEqualAnswers,
  openBothCompositions,
  type Parameters,
} from '../../support/processes/both-compositions.js';

const MEMORIES = 2_000;
const ASSOCIATIONS = 500;
const QUESTIONS = 120;
const DIMENSION = 64;
/** A tag of one memory in 26, so that a scope holds fewer memories than any pool. */
const SPRINTS = 26;

if (areBothWanted()) {
  describe('recall in both compositions', function () {
    this.timeout(300_000);
    const random = seededRandom(5);
    const memories = Array.from({ length: MEMORIES }, (_, index) => corpusMemory(random, index, new Date()));
    const questions = Array.from({ length: QUESTIONS }, () => corpusQuestion(random));
    let both: BothCompositions;
    before(async () => {
      both = await openBothCompositions({ embedder: createWordHashEmbedder(DIMENSION), memories, associations });
    });
    after(() => both?.close());

    const scoped: Readonly<Record<string, Parameters>> = {
      'with default parameters': {},
      'for the last 30 days': { time_query: 'last 30 days' },
      'in order of time': { sort: 'time_desc' },
      'without an excluded tag': { exclude_tags: 'tool:kafka' },
      'with history': { state_mode: 'history' },
    };
    for (const [title, parameters] of Object.entries(scoped)) {
      it(`returns equal results within a scope that the pools hold, ${title}`, async () => {
        const part = everyNth(questions, Object.keys(scoped).indexOf(title), Object.keys(scoped).length);
        const requests = part.map(([index, question]) => ({
          query: question,
          tags: `sprint-${index % SPRINTS}`,
          limit: '50',
          ...parameters,
        }));
        (await both.recall(requests)).forEach(expectEqualAnswers);
      });
    }

    it('shares nearly all of the first ten results of cut pools', async () => {
      let common = 0;
      let found = 0;
      for (const { one, other } of await both.recall(questions.map((query) => ({ query, limit: '10' })))) {
        found += one.ids.length;
        common += one.ids.filter((id) => other.ids.includes(id)).length;
      }
      expect(found).to.be.above(QUESTIONS * 9);
      expect(common / found).to.be.at.least(0.95);
    });
  });
}

function associations(ids: readonly string[]): readonly object[] {
  return Array.from({ length: ASSOCIATIONS }, (_, index) => {
    const ends = { memory1_id: ids[(index * 7) % MEMORIES], memory2_id: ids[(index * 13 + 1) % MEMORIES] };
    return { ...ends, type: index % 10 === 0 ? 'EVOLVED_INTO' : 'RELATES_TO', strength: 0.5 };
  });
}

/** Every `step`-th question, starting at index `part`, with its index. */
function everyNth(questions: readonly string[], part: number, step: number): readonly (readonly [number, string])[] {
  return questions.map((question, index) => [index, question] as const).filter(([index]) => index % step === part);
}
