/** Follows the feed and records when it first shows each memory as enriched. */
import type { HttpCaller } from '../../support/clients/http-caller.js';

export type EnrichedFollower = {
  /** Time of the first `memory.enriched` event of each memory, as `performance.now()`. */
  readonly seenAt: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
};

const WAIT_SECONDS = 2;

export async function followEnriched(target: HttpCaller): Promise<EnrichedFollower> {
  const seenAt = new Map<string, number>();
  let isStopped = false;
  let after: number = (await target.request('GET', '/events?limit=1')).body.head;

  async function follow(): Promise<void> {
    while (!isStopped) {
      const { status, body } = await target.request(
        'GET',
        `/events?after=${after}&type=memory.enriched&limit=100&wait=${WAIT_SECONDS}`,
      );
      if (status !== 200) throw new Error(`GET /events answered ${status}: ${JSON.stringify(body)}`);
      const now = performance.now();
      for (const { subject } of body.events as { subject: string }[])
        if (!seenAt.has(subject)) seenAt.set(subject, now);
      after = body.next;
    }
  }

  const following = follow();
  return {
    seenAt,
    stop: async () => {
      isStopped = true;
      await following;
    },
  };
}
