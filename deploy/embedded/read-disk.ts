/** The size and the free bytes of the file system with the data. */
import { statfs } from 'node:fs/promises';
import type { Figure } from '../../shared/kernel/metrics/metrics.js';

export async function readDisk(folder: string): Promise<readonly Figure[]> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return [
    { name: 'palimpsest_disk_free_bytes', value: bavail * bsize },
    { name: 'palimpsest_disk_size_bytes', value: blocks * bsize },
  ];
}
