/** Makes the tables of `deploy/docs/configuration.md` from the declarations that the processes read. */
import { commandVariables } from '../../../command-api/config.js';
import { relayVariables } from '../../../command-api/relay/process-config.js';
import { projectorVariables } from '../../../projectors/config.js';
import { enricherVariables } from '../../../projectors/enricher/enricher-config.js';
import { commandApiVariables } from '../../../projectors/process-config.js';
import { viewerVariables } from '../../../query-api/graph-views/viewer-variables.js';
import { queryVariables } from '../../../query-api/query-variables.js';
import { scoringVariables } from '../../../query-api/scoring-variables.js';
import { consolidationVariables } from '../../../shared/consolidation/consolidation-config.js';
import { kafkaVariables } from '../../../shared/engines/kafka/kafka-variables.js';
import { embeddingVariables } from '../../../shared/engines/models/embedding-variables.js';
import { languageVariables } from '../../../shared/engines/models/language-variables.js';
import { neo4jVariables } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { commitVariables } from '../../../shared/engines/postgres/commit/commit-variables.js';
import { postgresVariables } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { qdrantVariables } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { edgeVariables } from '../../../shared/http/edge-variables.js';
import { outboundVariables } from '../../../shared/http/outbound-address.js';
import type { Variable } from '../../../shared/kernel/config/config.js';
import { startVariables } from '../../../shared/kernel/config/start-variables.js';
import { tenantVariable } from '../../commands/host.js';
import { serviceVariables } from '../../commands/service-client.js';
import { embeddedVariables } from '../../embedded/config.js';
import { gatewayVariables } from '../../gateway/gateway-config.js';
import { localVariables } from '../../local/config.js';
import { bridgeVariables } from '../../mcp/bridge-config.js';

export type VariableGroup = { readonly title: string; readonly variables: readonly Variable[] };

const BEGIN = /<!-- variables:[^>]*-->\n/u;
const END = '<!-- /variables -->';

/** Returns the document with new tables. Throws when it has no place for them. */
export function withVariables(markdown: string, groups: readonly VariableGroup[]): string {
  const begin = BEGIN.exec(markdown);
  const end = markdown.indexOf(END);
  if (begin === null || end < begin.index)
    throw new Error(
      `The document has no place for the variables: write a line "<!-- variables: ... -->" and below it "${END}"`,
    );
  return markdown.slice(0, begin.index + begin[0].length) + variablesTable(groups) + markdown.slice(end);
}

/** A source file with all names, by which every process finds misspelt ones. */
export function variableNamesSource(groups: readonly VariableGroup[]): string {
  const names = groups.flatMap(({ variables }) => variables.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const about = 'The names of all variables of all processes. The file is made by `npm run docs:variables`.';
  const lines = [...new Set(names)].sort().map((name) => `  '${name}',\n`);
  return `/** ${about} */\nexport const VARIABLE_NAMES: readonly string[] = [\n${lines.join('')}];\n`;
}

/** Markdown with a table for each group. A variable of several parts is listed with the first of them. */
export function variablesTable(groups: readonly VariableGroup[]): string {
  const shown = new Set<string>();
  const sections = groups.map(({ title, variables }) => {
    const rows = variables.filter(({ name }) => !shown.has(name)).map((variable) => row(variable));
    variables.forEach(({ name }) => shown.add(name));
    return `\n**${title}**\n\n| variable | default | what it sets |\n|---|---|---|\n${rows.join('')}`;
  });
  return `${sections.join('')}\n`;
}

function row(variable: Variable): string {
  const { name, aliases = [], description } = variable;
  const names = [`\`${name}\``, ...aliases.map((alias) => `(\`${alias}\`)`)].join(' ');
  return `| ${names} | ${defaultOf(variable)} | ${cell([description, ...limitsOf(variable)].join(' '))} |\n`;
}

function defaultOf({ default: value, unit }: Variable): string {
  if (value === undefined) return '';
  return `\`${cell(value)}\`${unit === undefined ? '' : ` ${unit}`}`;
}

function limitsOf({ kind, choices, minimum, maximum }: Variable): readonly string[] {
  if (kind === 'flag') return ['`true` or `false`.'];
  if (choices !== undefined) return [`One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`];
  if (minimum !== undefined && maximum !== undefined) return [`From ${minimum} to ${maximum}.`];
  if (minimum !== undefined) return [`At least ${minimum}.`];
  return maximum === undefined ? [] : [`At most ${maximum}.`];
}

/** Escapes the bar, which would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export const ALL_VARIABLES: readonly VariableGroup[] = [
  { title: 'The process and its data', variables: embeddedVariables },
  { title: 'Processes of their own', variables: startVariables },
  { title: 'HTTP', variables: edgeVariables },
  { title: 'The gateway', variables: gatewayVariables },
  { title: 'The MCP bridge', variables: bridgeVariables },
  { title: 'The command line', variables: [...serviceVariables, tenantVariable] },
  { title: 'Commands', variables: commandVariables },
  { title: 'Queries', variables: [...queryVariables, ...viewerVariables] },
  { title: 'The score of a recall', variables: scoringVariables },
  { title: 'Projectors', variables: [...projectorVariables, ...enricherVariables, ...commandApiVariables] },
  { title: 'Webhooks', variables: outboundVariables },
  { title: 'Consolidation', variables: consolidationVariables },
  { title: 'Embedding', variables: embeddingVariables },
  { title: 'Language model', variables: languageVariables },
  { title: 'Postgres', variables: postgresVariables },
  { title: 'Neo4j', variables: neo4jVariables },
  { title: 'Kafka', variables: kafkaVariables },
  { title: 'Qdrant', variables: qdrantVariables },
  { title: 'The commit over two stores', variables: commitVariables },
  { title: 'The relay', variables: relayVariables },
  { title: 'Servers on this machine (`npm run local`)', variables: localVariables },
];
