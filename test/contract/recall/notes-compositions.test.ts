/**
 * Both compositions answer 300 questions about the notes of six teams with the same results, in the same order and with
 * the same scores. The bundled encoder makes the vectors of the notes and of the questions.
 */
import { expect } from 'chai';
import { notesCorpus } from '../../bench/corpus/notes/notes.js';
import { openSharedEmbedder } from '../../support/adapters/shared-embedder.js';
import {
  areBothWanted,
  type BothCompositions,
  expectEqualAnswers,
  openBothCompositions,
} from '../../support/processes/both-compositions.js';

const { conversations } = notesCorpus();

if (areBothWanted()) {
  describe('notes in both compositions', () => {
    let both: BothCompositions;
    before(async () => {
      const memories = conversations.flatMap(({ tag, turns }) =>
        turns.map(({ content, timestamp, fields }) => ({
          ...fields,
          content,
          timestamp,
          tags: [tag, ...(fields?.tags ?? [])],
        })),
      );
      both = await openBothCompositions({ embedder: await openSharedEmbedder(), memories });
    });
    after(() => both?.close());

    it('return equal ids and scores for 300 questions', async () => {
      const requests = conversations.flatMap(({ tag, questions }) =>
        questions.map(({ question }) => ({ query: question, tags: tag, limit: '10' })),
      );
      const answers = await both.recall(requests);
      expect(answers).to.have.lengthOf(300);
      for (const answer of answers) {
        expect(answer.one.ids, answer.asked.query).to.be.an('array').that.is.not.empty;
        expectEqualAnswers(answer);
      }
    });
  });
}
