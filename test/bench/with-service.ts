/** The embedded service as a child process over a folder of its own, for one measurement: both go afterwards, however it went. */
import { startChildService, type ChildService } from '../support/child-service.js';
import { createTempFolder } from '../support/temp-folder.js';

export async function withService<T>(
  measure: (service: ChildService, folder: string) => Promise<T>,
  variables: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = await createTempFolder();
  try {
    const service = await startChildService({ dataFolder: folder.path, variables });
    try {
      return await measure(service, folder.path);
    } finally {
      await service.stop('SIGTERM');
    }
  } finally {
    await folder.remove();
  }
}
