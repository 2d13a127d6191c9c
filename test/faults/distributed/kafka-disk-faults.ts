/**
 * Kafka with more partitions, with a full disk, and without the last records of a topic, in the whole service under
 * load.
 */
import { expect } from 'chai';
import { type Admin, Kafka } from 'kafkajs';
import { skipWithReason } from '../../support/checks/not-run.js';
import { until } from '../../support/checks/until.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { processesOf, recordFigures } from '../../support/observability/figure-record.js';
import { loseTail, topicSizes, totalSize } from '../../support/servers/kafka-tail.js';
import { isServerRunning, killServer, localDataFolder, startServer } from '../../support/servers/local-servers.js';
import { serverAddress } from '../../support/servers/servers.js';
import { missingForSmallDisk, openSmallDisk } from '../../support/servers/small-disk.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';

const ADDED_PARTITIONS = 3;
/** The size of the tail that Kafka loses: some dozens of events. */
const TAIL_BYTES = 30_000;
const GROWTH_DEADLINE_MS = 60_000;

export function kafkaDiskFaults(stage: () => FaultSetup): void {
  it('keeps the order of memories when partitions are added', async function () {
    this.timeout(180_000);
    const topic = topicOf(stage());
    await withAdmin(async (admin) => {
      const used = (await admin.fetchTopicOffsets(topic)).length;
      await survivesFault(stage(), async () => {
        await admin.createPartitions({ topicPartitions: [{ topic, count: used + ADDED_PARTITIONS }] });
      });
      const added = (await admin.fetchTopicOffsets(topic)).filter(({ partition }) => partition >= used);
      expect(added.map(({ high }) => high)).to.deep.equal(Array(ADDED_PARTITIONS).fill('0'));
    });
  });

  const figures = recordFigures(() => processesOf(stage().fleet));
  it('loses no command when it is full and gets space again', async function () {
    this.timeout(180_000);
    const missing = await missingForSmallDisk();
    if (missing !== null) skipWithReason(this, missing);
    const { fleet } = stage();
    await killServer('kafka');
    const disk = await openSmallDisk(`${localDataFolder('kafka')}/log`);
    await startServer('kafka');
    let isSmall = true;
    const giveSpace = async (): Promise<void> => {
      if (await isServerRunning('kafka')) await killServer('kafka');
      await disk.remove();
      await startServer('kafka');
      isSmall = false;
    };
    try {
      await survivesFault(stage(), async () => {
        await figures.before();
        await disk.fill();
        await until(
          'events wait in the outbox',
          async () => {
            const { status, body } = await fleet.request('GET', '/health');
            return status === 200 && body.outbox.applied > 0 && body.outbox.oldest_ms > 1_000;
          },
          GROWTH_DEADLINE_MS,
        );
        for (let count = 0; count < 2; count += 1) await figures.during();
        await giveSpace();
      });
    } finally {
      if (isSmall) await giveSpace(); // the tests that follow a failed one need it
    }
  });

  it('fires the alert of waiting events while it is full', async function () {
    const missing = await missingForSmallDisk();
    if (missing !== null) skipWithReason(this, missing);
    await expectAlerts(this, figures, ['PalimpsestOutboxWaits']);
  });
}

/** Afterwards the topic does not hold all events. */
export function kafkaTailLoss(stage: () => FaultSetup): void {
  it('loss while the projectors are stopped hides no event', async function () {
    this.timeout(180_000);
    const { fleet } = stage();
    const topic = topicOf(stage());
    const hasGrownBy = async (bytes: number, from: number): Promise<boolean> =>
      totalSize(await topicSizes(topic)) >= from + bytes;
    await survivesFault({ ...stage(), isTopicWhole: false }, async () => {
      const projectors = fleet.members('projectors');
      for (const member of projectors) member.signal('SIGSTOP');
      const kept = await topicSizes(topic);
      await until('the topic has a tail', () => hasGrownBy(TAIL_BYTES, totalSize(kept)), GROWTH_DEADLINE_MS);
      const ended = totalSize(await topicSizes(topic));
      await loseTail(kept);
      await until('the topic ends behind its former end', () => hasGrownBy(TAIL_BYTES, ended), GROWTH_DEADLINE_MS);
      for (const member of projectors) member.signal('SIGCONT');
    });
  });
}

const topicOf = ({ fleet }: FaultSetup): string => `${fleet.deployment.topicPrefix}memory.events`;

async function withAdmin(work: (admin: Admin) => Promise<void>): Promise<void> {
  const kafka = new Kafka({ clientId: 'test-admin', brokers: serverAddress('kafka').split(','), logLevel: 0 });
  const admin = kafka.admin();
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.disconnect();
  }
}
