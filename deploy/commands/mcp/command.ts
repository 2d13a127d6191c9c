/** `palimpsest mcp`: the MCP bridge. */
import { type Define, examples } from '../host.js';

export const define: Define = (command, host) =>
  command
    .description(
      'Speak MCP over stdio for an agent. The service is at AUTOMEM_API_URL (http://127.0.0.1:8001), and AUTOMEM_API_KEY is its API token.',
    )
    .option('--http', 'serve MCP over HTTP on PORT instead')
    .addHelpText('after', examples('mcp', 'mcp --http'))
    .action(async ({ http }: { readonly http?: boolean }) => {
      const { runBridge } = await import('../../mcp/run-bridge.js');
      await runBridge(http ? ['--http'] : [], host.environment);
    });
