/** What the timeout of a session comes to: how often a member says that it lives, and how long one that does not is waited for. */
import type { KafkaConfig } from './kafka-variables.js';

type SessionTimeout = Pick<KafkaConfig, 'sessionTimeoutMs'>;

const HEARTBEATS_PER_SESSION = 10;
/**
 * From the moment when the others learn that a member is gone until they know where its partitions stand: joining anew and a look at the
 * checkpoints, a fraction of a second, with room for a busy machine and for clocks that differ. A batch that one of them has to finish
 * before it joins needs none: its own position waits for that.
 */
const SHARING_OUT_MS = 5_000;

export function heartbeatMsOf({ sessionTimeoutMs }: SessionTimeout): number {
  return Math.ceil(sessionTimeoutMs / HEARTBEATS_PER_SESSION);
}

/** The session ends, the others learn so from the answer to their next heartbeat, and share out anew. */
export function takeoverMsOf(session: SessionTimeout): number {
  return session.sessionTimeoutMs + heartbeatMsOf(session) + SHARING_OUT_MS;
}
