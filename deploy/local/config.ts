/** The configuration of the launcher: state folder, ports, and memory of the two Java servers. */
import { isAbsolute, join } from 'node:path';
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';

export const INSTANCES_LIMIT = 8;

export const localVariables = [
  {
    name: 'LOCAL_DIR',
    kind: 'text',
    default: './.palimpsest-local',
    description: 'The folder for the state of `npm run local`: data, logs, unpacked programs.',
  },
  {
    name: 'LOCAL_PORT_OFFSET',
    kind: 'integer',
    minimum: 0,
    maximum: 50_000,
    default: '0',
    description:
      'Added to every port of `npm run local`, for a second set next to the first (with its own `LOCAL_DIR`).',
  },
  {
    name: 'LOCAL_INSTANCES',
    kind: 'integer',
    minimum: 1,
    maximum: INSTANCES_LIMIT,
    default: '1',
    description: 'Number of instances of each of our processes that `npm run local` starts.',
  },
  {
    name: 'LOCAL_GATEWAY',
    kind: 'choice',
    choices: ['auto', 'nginx', 'router'],
    default: 'auto',
    description:
      'The gateway of the local APIs: nginx, or the router of this repository. `auto` is nginx where it is installed.',
  },
  { name: 'LOCAL_NEO4J_HEAP', kind: 'text', default: '1g', description: 'Largest Java heap of the local Neo4j.' },
  { name: 'LOCAL_NEO4J_PAGE_CACHE', kind: 'text', default: '128m', description: 'Page cache of the local Neo4j.' },
  {
    name: 'LOCAL_NEO4J_REPLAN_INTERVAL',
    kind: 'text',
    default: '10s',
    description:
      'How long the local Neo4j keeps the plan of a query at least. A long time spares processor time where the data is deleted often, as in tests.',
  },
  { name: 'LOCAL_KAFKA_HEAP', kind: 'text', default: '512m', description: 'Largest Java heap of the local Kafka.' },
  {
    name: 'LOCAL_JAVA_OPTIONS',
    kind: 'text',
    description:
      'More Java options for the local Neo4j and Kafka, separated by spaces. With `-XX:TieredStopAtLevel=1` they start in half the time, and run slower afterwards.',
  },
] as const satisfies readonly Variable[];

export type LocalConfig = ReturnType<typeof localConfig>;

export function localConfig(environment: Environment, workingFolder: string) {
  const values = readVariables(localVariables, environment);
  return {
    folder: isAbsolute(values.LOCAL_DIR) ? values.LOCAL_DIR : join(workingFolder, values.LOCAL_DIR),
    portOffset: values.LOCAL_PORT_OFFSET,
    instances: values.LOCAL_INSTANCES,
    gateway: values.LOCAL_GATEWAY,
    neo4j: {
      heap: values.LOCAL_NEO4J_HEAP,
      pageCache: values.LOCAL_NEO4J_PAGE_CACHE,
      replanInterval: values.LOCAL_NEO4J_REPLAN_INTERVAL,
    },
    kafka: { heap: values.LOCAL_KAFKA_HEAP },
    javaOptions: (values.LOCAL_JAVA_OPTIONS ?? '').split(/\s+/u).filter((option) => option !== ''),
  };
}
