import { expect } from 'chai';
import { startCleaning } from '../../../command-api/start-cleaning.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../../support/checks/until.js';

describe('cleaning after deletions', () => {
  it('repeats a step until nothing is left, while the other one fails', async () => {
    let left = 3;
    const logged: unknown[] = [];
    const cleaning = startCleaning({
      graph: () => Promise.reject(new Error('the graph is down')),
      journal: async () => left > 0 && (left -= 1) >= 0,
      logger: { ...silentLogger, warn: (fields) => void logged.push(fields) },
    });
    await until('the journal is clean', () => left === 0 && logged.length > 0);
    await cleaning.close();
    expect(logged[0]).to.deep.include({ place: 'graph' });
  });
});
