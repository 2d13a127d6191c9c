/** The tool that reports whether the service works. It has an answer for every state, so it never fails itself. */
import { closed, text } from '../../../shared/contract/reply-parts.js';
import { adviceFor, type Failure } from '../failure-answer.js';
import { createTool, type Tool, type ToolAnswer } from '../tool.js';
import { type Fields, fieldsOf, numberAt, textAt } from './fields.js';

const outputSchema = closed(
  { status: { type: 'string', enum: ['healthy', 'degraded', 'error'] }, backend: text },
  {
    statistics: {
      type: 'object',
      additionalProperties: true,
      description: 'State of the stores, counts, background work; empty when the service does not answer.',
    },
    error: text,
  },
);

/** Existing clients expect this name of the interface. */
const BACKEND = 'automem';

export function createCheckDatabaseHealthTool(): Tool {
  return createTool<Record<string, never>>({
    name: 'check_database_health',
    title: 'Check Database Health',
    description: DESCRIPTION,
    hints: { readOnly: true, destructive: false, idempotent: true },
    inputSchema: { type: 'object', additionalProperties: false, properties: {} },
    outputSchema,
    run: async (_, { client, signal }) => {
      const answer = await client.call('health', { signal });
      return answer.kind === 'answered' ? healthAnswer(fieldsOf(answer)) : errorAnswer(answer);
    },
  });
}

function healthAnswer({ status, ...statistics }: Fields): ToolAnswer {
  if (status !== 'healthy' && status !== 'degraded') {
    const error = 'The answer has no known status: check that AUTOMEM_API_URL names the memory service';
    return { text: [`Status: error\n${error}`], structured: { status: 'error', backend: BACKEND, statistics, error } };
  }
  return {
    text: [
      [`Status: ${status}`, ...storesOf(statistics), ...countsOf(statistics), ...problemsOf(statistics)].join('\n'),
    ],
    structured: { status, backend: BACKEND, statistics },
  };
}

function storesOf(statistics: Fields): readonly string[] {
  const [graph, vectors] = [
    textAt(statistics, 'neo4j') ?? textAt(statistics, 'falkordb'),
    textAt(statistics, 'qdrant'),
  ];
  return [`Graph: ${graph ?? 'unknown'}; vectors: ${vectors ?? 'unknown'}`];
}

function countsOf(statistics: Fields): readonly string[] {
  const [memories, vectors] = [numberAt(statistics, 'memory_count'), numberAt(statistics, 'vector_count')];
  return [
    `Memories: ${memories ?? 'unknown'}; vectors: ${vectors ?? 'unknown'} (${textAt(statistics, 'sync_status') ?? 'unknown'})`,
  ];
}

/** Problems that a user needs to know, each with its effect. */
function problemsOf(statistics: Fields): readonly string[] {
  const deadLetters = numberAt(statistics, 'dead_letters') ?? 0;
  const waiting = numberAt((statistics['enrichment'] ?? {}) as Fields, 'queue_depth') ?? 0;
  const dimensions = (statistics['vector_dimensions'] ?? {}) as Fields;
  return [
    ...(statistics['neo4j'] === 'disconnected'
      ? ['The graph does not answer: memories can be neither stored nor read until it does.']
      : []),
    ...(statistics['qdrant'] === 'disconnected'
      ? ['The vectors do not answer: recall goes by words and tags alone until they do.']
      : []),
    ...(waiting > 0 ? [`Waiting for enrichment: ${waiting}`] : []),
    ...(deadLetters > 0
      ? [`Dead letters: ${deadLetters} events could not be processed; an administrator should look at them.`]
      : []),
    ...(dimensions['mismatch'] === true
      ? ['The vectors have another size than is configured: an administrator should look at VECTOR_SIZE.']
      : []),
  ];
}

function errorAnswer(failure: Failure): ToolAnswer {
  const advice = failure.status === null && failure.kind === 'unavailable' ? START_IT : adviceFor(failure);
  return {
    text: [['Status: error', failure.message, advice].filter((line) => line !== '').join('\n')],
    structured: { status: 'error', backend: BACKEND, statistics: {}, error: failure.message },
  };
}

const START_IT =
  'Nothing can be stored or recalled now. Ask the user to start the service, or to correct AUTOMEM_API_URL where this MCP server is configured.';

const DESCRIPTION = `Check whether the memory service works, when another tool has failed or memories seem to be missing: state of the stores, how many memories and vectors there are, how far background work has come. Takes no arguments, and answers with status "error" and a reason when the service does not answer.`;
