/** Compares graph and index with the fold of the journal: versions, deletions and contents. Pure. */
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { Memory } from '../../shared/contract/memory.js';
import { pointPayload } from '../../shared/ports/point-payload.js';
import { vectorOf } from './fleet/processes.js';
import {
  applyToGraph,
  EMPTY_GRAPH,
  type GraphAssociation,
  type GraphNode,
  type GraphState,
} from './stores/graph-state.js';
import type { IndexPoint } from './stores/simulated-index.js';
import type { Violation } from './violation.js';

/** `excused`: subjects that may differ. */
export function graphDifferences(
  graph: GraphState,
  journal: readonly RecordedEvent[],
  excused: ReadonlySet<string>,
): readonly Violation[] {
  const wanted = applyToGraph(EMPTY_GRAPH, journal);
  const [nodes, associations] = [textsOf(graph.nodes, nodeText), textsOf(graph.associations, associationText)];
  return [
    ...differences(textsOf(wanted.nodes, nodeText), nodes, excused),
    ...differences(textsOf(wanted.associations, associationText), associations, excused),
  ].map(({ subject, expected, actual }) => ({
    invariant: 'the graph is the fold of the journal',
    found: `${subject}: the journal has ${expected}, the graph has ${actual}, and no problem is reported`,
    about: subject,
  }));
}

export function indexDifferences(
  points: ReadonlyMap<string, IndexPoint>,
  journal: readonly RecordedEvent[],
  excused: ReadonlySet<string>,
): readonly Violation[] {
  const { nodes } = applyToGraph(EMPTY_GRAPH, journal);
  return differences(textsOf(nodes, pointTextOfNode), textsOf(points, pointText), excused).map(
    ({ subject, expected, actual }) => ({
      invariant: 'the index is the fold of the journal',
      found: `${subject}: the journal has ${expected}, the index has ${actual}, and no problem is reported`,
      about: subject,
    }),
  );
}

type Texts = ReadonlyMap<string, string>;

function textsOf<T>(items: ReadonlyMap<string, T>, textOf: (item: T) => string): Texts {
  return new Map([...items].map(([subject, item]) => [subject, textOf(item)]));
}

function differences(wanted: Texts, found: Texts, excused: ReadonlySet<string>) {
  const subjects = [...new Set([...wanted.keys(), ...found.keys()])].filter((subject) => !excused.has(subject));
  return subjects
    .map((subject) => ({
      subject,
      expected: wanted.get(subject) ?? 'nothing',
      actual: found.get(subject) ?? 'nothing',
    }))
    .filter(({ expected, actual }) => expected !== actual);
}

/** Two contents with the same text are the same. */
const checksum = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);

function nodeText({ version, revision, state }: GraphNode): string {
  if (state === null) return `version ${version} (deleted)`;
  return `version ${version} with "${state.memory.content}" (revision ${revision}, checksum ${checksum(state)})`;
}

function associationText({ version, revision, association }: GraphAssociation): string {
  return `version ${version} (revision ${revision}, checksum ${checksum(association)})`;
}

function pointText({ version, stored }: IndexPoint): string {
  return stored === null ? `version ${version} (deleted)` : `version ${version} (checksum ${checksum(stored)})`;
}

function pointTextOfNode({ version, state }: GraphNode): string {
  return pointText({ version, stored: state && storedOf(state.memory) });
}

function storedOf(memory: Memory): NonNullable<IndexPoint['stored']> {
  return { vector: [...vectorOf(memory.content)], payload: pointPayload(memory) };
}
