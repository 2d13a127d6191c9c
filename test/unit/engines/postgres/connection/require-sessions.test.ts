import { expect } from 'chai';
import type { Postgres, Row } from '../../../../../shared/engines/postgres/connection/postgres.js';
import { requireSessions } from '../../../../../shared/engines/postgres/connection/require-sessions.js';
import { ConfigurationError } from '../../../../../shared/kernel/config/config.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { seededRandom } from '../../../../support/fixtures/random.js';

/** `processFor`: the process of the server for the next statement of a session. */
function poolerOf(
  processFor: (session: number) => number,
): Pick<Postgres, 'session'> & { readonly open: () => number } {
  let [opened, open] = [0, 0];
  return {
    open: () => open,
    session: async () => {
      const number = (opened += 1);
      open += 1;
      return {
        lost: new AbortController().signal,
        query: async <R extends Row>() => ({ rows: [{ process: processFor(number) } as unknown as R], count: 1 }),
        listen: async () => undefined,
        close: async () => void (open -= 1),
      };
    },
  };
}

describe('requireSessions', () => {
  it('accepts sessions that keep a process of the server each', async () => {
    const direct = poolerOf((session) => 100 + session);
    await requireSessions(direct);
    expect(direct.open()).to.equal(0);
  });

  const random = seededRandom(7);
  let turn = 0;
  for (const [name, processFor] of [
    ['gives out the connection that was used last', () => 100],
    ['takes turns between two connections', () => 100 + (turn++ % 2)],
    ['takes turns between three connections', () => 100 + (turn++ % 3)],
    ['gives out one of two connections by chance', () => 100 + random.below(2)],
  ] as const) {
    it(`refuses a pooler that ${name}`, async () => {
      const pooler = poolerOf(processFor);
      const error = await rejection(requireSessions(pooler));
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.match(/transaction pooling.*write the address of Postgres itself.*pool_mode=session/u);
      expect(pooler.open()).to.equal(0);
    });
  }
});
