/** `palimpsest get`: shows one memory with its associations. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../shared/contract/operations.js';
import { type Define, examples, type Host, plain, report } from '../host.js';
import { addCallOptions, type CallOptions, callService, memoryId } from '../service-client.js';

export const define: Define = (command, host) =>
  addCallOptions(command)
    .argument('<id>', 'the id of the memory', memoryId)
    .addHelpText('after', examples('get 4f9d1c1e-7d0b-4b53-9f0e-3a1d7c1f2b6a'))
    .action(async (id: MemoryId, options: CallOptions) => {
      const reply = await callService('getMemory', { params: { id } }, { host, options });
      report(host, options, reply, memoryLines(reply.memory, host));
    });

function memoryLines(memory: ReplyOf<'getMemory'>['memory'], { paint }: Host): readonly string[] {
  const facts = {
    id: memory.id,
    type: `${memory.type} (confidence ${memory.confidence})`,
    importance: memory.importance,
    tags: memory.tags.join(', '),
    timestamp: memory.timestamp,
    metadata: JSON.stringify(memory.metadata),
  };
  const width = Math.max(...Object.keys(facts).map((name) => name.length)) + 2;
  return [
    plain(memory.content),
    '',
    ...Object.entries(facts).map(([name, value]) => paint('dim', name.padEnd(width)) + plain(String(value))),
    ...memory.relations.map(({ type, direction, memory: { id, summary, content } }) => {
      const arrow = direction === 'outgoing' ? `-- ${type} -->` : `<-- ${type} --`;
      return `${paint('dim', arrow)} ${plain(`${id}  ${summary ?? content ?? ''}`)}`;
    }),
  ];
}
