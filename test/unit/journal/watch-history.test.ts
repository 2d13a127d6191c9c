import { expect } from 'chai';
import { watchHistory } from '../../../shared/integrity/journal-mark/watch-history.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { DependencyError } from '../../../shared/kernel/errors.js';

const DOWN = 'no answer';

describe('watch of the history', () => {
  it('gives a reason to stop when the journal has another identity', async () => {
    const resources = createResources();
    const answers = [DOWN, 'first', 'first', DOWN, 'second'];
    let asked = 0;
    const id = async (): Promise<string> => {
      const answer = answers[asked++] ?? 'second';
      if (answer === DOWN) throw new DependencyError('journal', 'The journal does not answer');
      return answer;
    };
    try {
      const history = watchHistory({ identity: { id }, resources, checkMs: 1 });
      await history.firstRead;
      expect(history.id(), 'the journal did not answer').to.equal(null);
      expect(await history.changed).to.match(/another history/u);
      expect(history.id()).to.equal('first');
      expect(asked).to.equal(answers.length);
    } finally {
      await resources.close();
    }
  });
});
