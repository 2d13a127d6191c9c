/** All subcommands of `palimpsest`, in the order of its help. A command's file is loaded only when it is named. */
import type { Define } from './host.js';

type Entry = {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
};

export const COMMANDS: readonly Entry[] = [
  { name: 'serve', summary: 'Run the service in one process', load: () => import('./serve/command.js') },
  { name: 'mcp', summary: 'Connect an agent to the service over MCP', load: () => import('./mcp/command.js') },
  { name: 'store', summary: 'Store a memory', load: () => import('./memories/store.js') },
  { name: 'recall', summary: 'Find memories', load: () => import('./memories/recall.js') },
  { name: 'get', summary: 'Show a memory and its associations', load: () => import('./memories/get.js') },
  { name: 'associate', summary: 'Associate two memories', load: () => import('./memories/associate.js') },
  { name: 'forget', summary: 'Delete a memory', load: () => import('./memories/forget.js') },
  { name: 'keys', summary: 'Administer the keys of a service', load: () => import('./keys/command.js') },
  { name: 'tenants', summary: 'Administer the tenants of a service', load: () => import('./tenants/command.js') },
  { name: 'import', summary: 'Import memories from a file', load: () => import('./import/command.js') },
  { name: 'export', summary: 'Write memories as JSON lines', load: () => import('./memories/export.js') },
  { name: 'backup', summary: 'Save a backup of a running service', load: () => import('./backup/command.js') },
  {
    name: 'restore',
    summary: 'Restore a backup into an empty deployment',
    load: () => import('./restore/command.js'),
  },
  {
    name: 'verify',
    summary: 'Compare the journal, the graph and the vector index',
    load: () => import('./verify/command.js'),
  },
  {
    name: 'rebuild',
    summary: 'Bring a graph to the state of the journal',
    load: () => import('./rebuild/command.js'),
  },
  {
    name: 'deletions',
    summary: 'List deleted memories for a later restore',
    load: () => import('./deletions/command.js'),
  },
  {
    name: 'migrate',
    summary: 'Prepare the servers of the distributed service',
    load: () => import('./migrate/command.js'),
  },
  { name: 'bench', summary: 'Measure how fast a service stores and recalls', load: () => import('./bench/command.js') },
  { name: 'doctor', summary: 'Examine an installation', load: () => import('./doctor/command.js') },
  { name: 'completion', summary: 'Print a completion script', load: () => import('./completion/command.js') },
];
