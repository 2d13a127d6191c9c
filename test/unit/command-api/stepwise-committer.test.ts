import { expect } from 'chai';
import { createStepwiseCommitter, STEP_COMMANDS, WHOLE_COMMANDS } from '../../../command-api/stepwise-committer.js';
import { type GiveWay, NEVER_GIVES_WAY } from '../../../shared/kernel/concurrency/give-way.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { Command, Committer, Outcome } from '../../../shared/ports/committer.js';
import { rejection } from '../../support/checks/rejection.js';
import { countedTurns } from '../../support/fixtures/counted-turns.js';

/** Commits nothing: the subject of the outcome is the id of the command. */
function committing(giveWay: GiveWay) {
  const sizes: number[] = [];
  const inner = {
    commit: async (commands: readonly Command[]): Promise<readonly Outcome[]> => {
      sizes.push(commands.length);
      return commands.map(({ id }) => ({ kind: 'conflict', subject: id, version: 1 }));
    },
  } as Committer; // the other methods are not called
  return { sizes, commit: createStepwiseCommitter(inner, giveWay).commit };
}

const commands = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}` }) as Command);

describe('stepwise committer', () => {
  it('commits many commands in steps and keeps the order of outcomes', async () => {
    const giveWay = countedTurns();
    const { sizes, commit } = committing(giveWay);
    const sent = commands(2 * STEP_COMMANDS + 1);
    const outcomes = await commit(sent);
    expect(sizes).to.deep.equal([STEP_COMMANDS, STEP_COMMANDS, 1]);
    expect(giveWay.turns()).to.equal(3);
    expect(outcomes).to.deep.equal(sent.map(({ id }) => ({ kind: 'conflict', subject: id, version: 1 })));
  });

  it('rejects with an unknown outcome when a later step fails', async () => {
    const error = new DependencyError('journal', 'The disk is full');
    const failingAt = (step: number) => {
      let calls = 0;
      const inner = {
        commit: async (given: readonly Command[]): Promise<readonly Outcome[]> => {
          if ((calls += 1) === step) throw error;
          return given.map(({ id }) => ({ kind: 'conflict', subject: id, version: 1 }));
        },
      } as Committer; // the other methods are not called
      return rejection(createStepwiseCommitter(inner, countedTurns()).commit(commands(3 * STEP_COMMANDS)));
    };
    expect(await failingAt(1)).to.equal(error);
    expect(await failingAt(2)).to.include({ message: error.message, outcomeUnknown: true, dependency: 'journal' });
  });

  it('commits few commands at once', async () => {
    const giveWay = countedTurns();
    const { sizes, commit } = committing(giveWay);
    await commit(commands(WHOLE_COMMANDS));
    expect([sizes, giveWay.turns()]).to.deep.equal([[WHOLE_COMMANDS], 0]);
  });

  it('commits many commands at once while no caller of others is active', async () => {
    const { sizes, commit } = committing(NEVER_GIVES_WAY);
    await commit(commands(3 * STEP_COMMANDS));
    expect(sizes).to.deep.equal([3 * STEP_COMMANDS]);
  });
});
