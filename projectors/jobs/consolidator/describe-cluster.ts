/** What the meta memory of a cluster says. Equal clusters get equal meta memories. */
import { createHash } from 'node:crypto';
import { daysBetween } from '../../../shared/consolidation/relevance.js';
import { CLUSTER_MEMBER_LIMIT, type ClusterSummary } from '../../../shared/contract/consolidation/commands.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import { namedId } from '../../../shared/kernel/named-id.js';
import { shorten } from '../../../shared/kernel/shorten.js';

export type Member = Pick<Memory, 'id' | 'type' | 'timestamp'>;

export type Cluster = {
  /**
   * The id of its meta memory. It depends on the oldest member alone, so a cluster that grows keeps its meta memory.
   */
  readonly id: MemoryId;
  /** The oldest first. */
  readonly members: readonly Member[];
  readonly dominantType: string;
  readonly timeSpanDays: number;
};

export function clusterOf(group: readonly Member[]): Cluster {
  const members = [...group].sort((one, other) =>
    one.timestamp === other.timestamp ? (one.id < other.id ? -1 : 1) : one.timestamp < other.timestamp ? -1 : 1,
  );
  const [oldest, newest] = [members[0], members.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error('A cluster has at least one member.');
  return {
    id: clusterId(oldest.id),
    members,
    dominantType: mostFrequent(members.map(({ type }) => type)),
    timeSpanDays: Math.floor(daysBetween(oldest.timestamp, newest.timestamp)),
  };
}

/** The meta memory of a cluster quotes its oldest member and nothing else. */
export function clusterId(oldest: MemoryId): MemoryId {
  return namedId(`cluster:${oldest}`) as MemoryId; // a UUID in lower case
}

/** `example`: the content of the oldest member. `version`: of the present meta memory, 0 when there is none. */
export function summaryOf(
  { id, members, dominantType, timeSpanDays }: Cluster,
  { example, version }: { readonly example: string; readonly version: number },
): ClusterSummary {
  const ids = members.map((member) => member.id);
  return {
    kind: 'cluster',
    id,
    expectedVersion: version,
    reason: `${members.length} memories are connected by their similarity.`,
    content: `Meta-pattern: ${members.length} similar memories, most of them ${dominantType}. For example: ${shorten(example, EXAMPLE_LENGTH)}`,
    metadata: {
      origin: CLUSTER_ORIGIN,
      derived_from: ids.slice(0, 1),
      cluster_size: members.length,
      dominant_type: dominantType,
      time_span_days: timeSpanDays,
      members_digest: createHash('sha256')
        .update([...ids].sort().join())
        .digest('hex')
        .slice(0, DIGEST_LENGTH),
    },
    members: ids.slice(0, CLUSTER_MEMBER_LIMIT),
    derivedFrom: ids.slice(0, 1),
  };
}

const EXAMPLE_LENGTH = 200;
const DIGEST_LENGTH = 16;
/** `metadata.origin` of a meta memory; a pattern of the enricher has none. */
export const CLUSTER_ORIGIN = 'consolidation';

/** Of equally frequent ones the first in the alphabet. */
function mostFrequent(types: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const [first = ['', 0] as const] = [...counts].sort(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  );
  return first[0];
}
