/** Records the events that the subscriptions of one group receive, and checks delivery and order. */
import { expect } from 'chai';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';

export type KafkaLedger = {
  readonly record: (events: readonly RecordedEvent[]) => void;
  readonly ids: () => readonly string[];
  /** Expects each published event at least once, and per key the first deliveries in the order of publishing. */
  readonly expectAll: (published: readonly NewEvent[]) => void;
};

export function createKafkaLedger(): KafkaLedger {
  const given: RecordedEvent[] = [];
  return {
    record: (events) => void given.push(...events),
    ids: () => given.map(({ id }) => id),
    expectAll: (published) => {
      const seen = new Set(given.map(({ id }) => id));
      const lost = published.filter(({ id }) => !seen.has(id)).map(({ subject, version }) => `${subject} ${version}`);
      expect(lost, 'lost').to.deep.equal([]);
      for (const key of new Set(published.map(({ partitionKey }) => partitionKey))) {
        const order = [...new Set(given.filter(({ partitionKey }) => partitionKey === key).map(({ id }) => id))];
        expect(order, `the order of ${key}`).to.deep.equal(
          published.filter(({ partitionKey }) => partitionKey === key).map(({ id }) => id),
        );
      }
    },
  };
}
