/** `palimpsest associate`: writes one association. */
import { type Define, examples, numberIn, report } from '../host.js';
import { addCallOptions, type CallOptions, callService, given, memoryId } from '../service-client.js';

type Options = CallOptions & { readonly type: string; readonly strength?: number };

export const define: Define = (command, host) =>
  addCallOptions(command)
    .argument('<from>', 'the id of a memory', memoryId)
    .argument('<to>', 'the id of another memory', memoryId)
    .requiredOption('--type <type>', 'such as RELATES_TO, LEADS_TO, PREFERS_OVER, CONTRADICTS, EVOLVED_INTO, PART_OF')
    .option('--strength <number>', '0 to 1; default 0.5', numberIn(0, 1))
    .addHelpText('after', examples('associate "$DECISION" "$REASON" --type DERIVED_FROM --strength 0.8'))
    .action(async (from: string, to: string, options: Options) => {
      const { type, strength } = options;
      const body = { memory1_id: from, memory2_id: to, type, ...given({ strength }) };
      const reply = await callService('associate', { body }, { host, options });
      report(host, options, reply, [`Associated ${from} -- ${type.toUpperCase()} --> ${to}`]);
    });
