/** The promises of every table of topic records, and of their double in the tests. */
import { expect } from 'chai';
import { createPostgresTopicRecords } from '../../../shared/engines/postgres/records/postgres-topic-records.js';
import type { TopicRecords } from '../../../shared/ports/topic-records.js';
import { createLocalTopicRecords } from '../../support/adapters/topic-records.js';
import { openTemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

type Opened = { readonly records: TopicRecords; readonly close: () => Promise<void> };

async function openPostgres(): Promise<Opened> {
  const { postgres, remove } = await openTemporaryPostgres();
  return { records: createPostgresTopicRecords({ postgres }), close: remove };
}

const ADAPTERS: Readonly<Record<string, () => Promise<Opened>>> = {
  local: async () => ({ records: createLocalTopicRecords(), close: async () => undefined }),
  ...(isServerWanted('postgres') ? { postgres: openPostgres } : {}),
};

const TOPIC = 'memory.events';

for (const [name, open] of Object.entries(ADAPTERS)) {
  describe(`topic records: ${name}`, () => {
    let records: TopicRecords;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ records, close } = await open());
    });
    afterEach(() => close());

    it('are created once, also by many callers at the same time', async () => {
      expect(await records.find(TOPIC)).to.equal(null);
      const created = await Promise.all([1n, 2n, 3n, 4n].map((end) => records.create(TOPIC, [end, end])));
      const found = await records.find(TOPIC);
      expect(found?.generation).to.equal(1);
      for (const one of created) expect(one).to.deep.equal(found);
      expect(await records.find('another')).to.equal(null);
    });

    it('raise each end, lower none, and hold the largest offsets', async () => {
      await records.create(TOPIC, [0n, 5n]);
      expect(await records.raise(TOPIC, { generation: 1, ends: [2n ** 62n, 3n] })).to.equal(true);
      expect(await records.find(TOPIC)).to.deep.equal({ generation: 1, ends: [2n ** 62n, 5n], partitions: 2 });
    });

    it('begin one generation for several callers that found the same loss', async () => {
      await records.create(TOPIC, [9n, 9n]);
      const renewed = await Promise.all(
        [4n, 5n, 6n].map((end) => records.renew(TOPIC, { generation: 1, ends: [end] })),
      );
      const found = await records.find(TOPIC);
      expect(found?.generation).to.equal(2);
      expect(found?.ends).to.have.lengthOf(1);
      for (const one of renewed) expect(one).to.deep.equal(found);
    });

    it('note how many partitions Kafka has', async () => {
      await records.create(TOPIC, [9n, 9n]);
      await records.notePartitions(TOPIC, 5);
      await records.notePartitions(TOPIC, 5);
      expect(await records.find(TOPIC)).to.deep.equal({ generation: 1, ends: [9n, 9n], partitions: 5 });
    });

    it('refuse to raise the ends of an ended generation', async () => {
      await records.create(TOPIC, [9n]);
      await records.renew(TOPIC, { generation: 1, ends: [4n] });
      expect(await records.raise(TOPIC, { generation: 1, ends: [20n] })).to.equal(false);
      expect(await records.find(TOPIC)).to.deep.equal({ generation: 2, ends: [4n], partitions: 1 });
    });
  });
}
