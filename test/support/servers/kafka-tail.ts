/** Imitates a power loss under the local Kafka: it is killed, and the end of its topic files is gone. */
import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { killServer, localDataFolder, startServer } from './local-servers.js';

/** The sizes of the files that hold the records of a topic. */
export type TopicSizes = ReadonlyMap<string, number>;

export async function topicSizes(topic: string): Promise<TopicSizes> {
  const folder = join(localDataFolder('kafka'), 'log');
  const partitions = (await readdir(folder)).filter((name) => name.replace(/-\d+$/u, '') === topic);
  const files = await Promise.all(
    partitions.map(async (name) =>
      (await readdir(join(folder, name)))
        .filter((file) => file.endsWith('.log'))
        .map((file) => join(folder, name, file)),
    ),
  );
  return new Map(await Promise.all(files.flat().map(async (file) => [file, (await stat(file)).size] as const)));
}

export const totalSize = (sizes: TopicSizes): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);

/** Kills Kafka, cuts the files to these sizes, and starts it again. */
export async function loseTail(sizes: TopicSizes): Promise<void> {
  await killServer('kafka');
  for (const [file, size] of sizes) await truncate(file, Math.min(size, (await stat(file)).size));
  await startServer('kafka');
}
