/**
 * Times that follow from the session timeout: the interval of heartbeats, and how long the group waits for a member
 * that died.
 */
import type { KafkaConfig } from './kafka-variables.js';

type SessionTimeout = Pick<KafkaConfig, 'sessionTimeoutMs'>;

const HEARTBEATS_PER_SESSION = 10;
/**
 * From the moment when the other members learn that a member is gone until they know the checkpoints of its partitions:
 * they join again and read the checkpoints, a fraction of a second, with room for a busy machine and for clocks that
 * differ. The time is not extended for a batch that a member must finish before it joins: the position of that member
 * waits for its batch.
 */
const REBALANCE_MARGIN_MS = 5_000;

export function heartbeatMsOf({ sessionTimeoutMs }: SessionTimeout): number {
  return Math.ceil(sessionTimeoutMs / HEARTBEATS_PER_SESSION);
}

/**
 * The session ends, the other members learn of it from the answer to their next heartbeat, and the group rebalances.
 */
export function takeoverMsOf(session: SessionTimeout): number {
  return session.sessionTimeoutMs + heartbeatMsOf(session) + REBALANCE_MARGIN_MS;
}
