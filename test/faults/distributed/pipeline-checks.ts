/** Checks during a fault: whether a process answers, and whether a stored memory still reaches the vector index. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import type { FaultSetup } from './fault-checks.js';

/** Longer than each lease, the Kafka session and the answer of a server that hangs. */
export const READY_MS = 45_000;
const VECTOR_SIZE = 384;

/** Resolves with the status. Rejects if no answer arrives in time. */
export async function probe({ url }: { readonly url: string }, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(READY_MS) });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Stores a memory with a vector of its own and waits until recall finds it by that vector: commit, relay, Kafka,
 * projector and index work.
 */
export async function expectPipelineWorks({ fleet }: FaultSetup): Promise<void> {
  const place = Math.floor(Math.random() * VECTOR_SIZE * VECTOR_SIZE);
  const [first, second] = [place % VECTOR_SIZE, Math.floor(place / VECTOR_SIZE)];
  const embedding = Array.from({ length: VECTOR_SIZE }, (_, index) => (index === first || index === second ? 0.7 : 0));
  const id = await until('a memory is stored', async () => {
    const body = { content: `Stored during the fault ${place}`, tags: ['during'], type: 'Context', embedding };
    const answer = await fleet.request('POST', '/memory', { body });
    expect(answer.status).to.be.oneOf([201, 409, 502, 503, 504]);
    return answer.status === 201 && String(answer.body.memory_id);
  });
  await until(
    'the memory is found by its vector',
    async () => {
      const { status, body } = await fleet.request('GET', `/recall?embedding=${embedding.join(',')}&limit=1`);
      return status === 200 && body.results[0]?.id === id && body.results[0].score_components.vector > 0.99;
    },
    READY_MS,
  );
}
