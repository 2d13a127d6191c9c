/** `palimpsest forget`: deletes one memory. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { type Define, examples, report } from '../host.js';
import { addCallOptions, type CallOptions, callService, memoryId } from '../service-client.js';

export const define: Define = (command, host) =>
  addCallOptions(command)
    .description('Delete a memory with its associations and its vector. It does not ask again.')
    .argument('<id>', 'the id of the memory', memoryId)
    .addHelpText('after', examples('forget 4f9d1c1e-7d0b-4b53-9f0e-3a1d7c1f2b6a'))
    .action(async (id: MemoryId, options: CallOptions) => {
      const reply = await callService('deleteMemory', { params: { id } }, { host, options });
      report(host, options, reply, [`Deleted ${reply.memory_id}`]);
    });
