/** The promises of every table of projector states. */
import { expect } from 'chai';
import type { NewProjectorState } from '../../../shared/ports/journal.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';

const HOUR_MS = 3_600_000;

function state(name: string, instance: string, overrides: Partial<NewProjectorState> = {}): NewProjectorState {
  return {
    name,
    instance,
    position: 7,
    handled: 7,
    failed: 0,
    lastError: null,
    lastErrorAt: null,
    paused: false,
    stopped: false,
    ...overrides,
  };
}

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`projector states: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    it('keeps the last state of each instance of each projector', async () => {
      await opened.states.save(state('enricher', 'one'));
      await opened.states.save(state('vector-indexer', 'two'));
      await opened.states.save(state('vector-indexer', 'one'));
      const last = state('vector-indexer', 'one', {
        position: 9,
        paused: true,
        lastError: 'no answer',
        lastErrorAt: '2024-01-01T10:00:01.000Z',
        takeoverMs: 43_000,
      });
      await opened.states.save(last);
      const saved = await opened.states.list();
      expect(saved.map(({ heartbeatAt: _at, heartbeatAgeMs: _age, ...rest }) => rest)).to.have.deep.members([
        state('enricher', 'one'),
        last,
        state('vector-indexer', 'two'),
      ]);
    });

    it('removes an instance after a day without a heartbeat', async () => {
      await opened.states.save(state('vector-indexer', 'stopped'));
      await opened.states.save(state('enricher', 'gone'));
      await opened.pass(2 * HOUR_MS);
      await opened.states.save(state('enricher', 'slow'));
      await opened.pass(23 * HOUR_MS);
      await opened.states.save(state('enricher', 'new'));
      const left = (await opened.states.list()).map(({ name, instance }) => `${name} ${instance}`);
      expect(left).to.have.members(['enricher new', 'enricher slow', 'vector-indexer stopped']);
    });

    it('remembers the paused projectors', async () => {
      await opened.states.setPaused('enricher', true);
      await opened.states.setPaused('enricher', true);
      await opened.states.setPaused('vector-indexer', true);
      await opened.states.setPaused('vector-indexer', false);
      await opened.states.setPaused('never-paused', false);
      expect(await opened.states.paused()).to.deep.equal(new Set(['enricher']));
    });
  });
}
