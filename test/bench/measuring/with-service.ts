/** Runs one measurement against the embedded service as a child process with a temporary data folder. Always stops the service and removes the folder. */
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';

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
