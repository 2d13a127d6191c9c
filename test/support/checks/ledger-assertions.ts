/** Compares a ledger with the service that it wrote to. */
import { expect } from 'chai';
import type { HttpCaller } from '../clients/http-caller.js';
import type { Ledger } from './ledger.js';

/** The cheap check: listing by tag returns exactly the memories of the ledger, with their content. */
export async function expectListingMatchesLedger(service: HttpCaller, ledger: Ledger): Promise<void> {
  const found = new Map<string, string>();
  for (let offset = 0, more = true; more; offset = found.size) {
    const page = await service.request('GET', `/memory/by-tag?tags=${ledger.tag}&limit=200&offset=${offset}`);
    expect(page.status).to.equal(200);
    for (const memory of page.body.memories) found.set(memory.id, memory.content);
    more = page.body.has_more;
  }
  const expected = new Map(ledger.memories().map(({ id, content }) => [id, content]));
  expect(found).to.deep.equal(expected);
}

/** Reads each memory of the ledger by id, with one revision per command, and expects 404 for each deleted one. */
export async function expectMemoriesMatchLedger(service: HttpCaller, ledger: Ledger): Promise<void> {
  for (const { id, content, revision } of ledger.memories()) {
    const answer = await service.request('GET', `/memory/${id}`);
    expect(answer.status).to.equal(200);
    expect(answer.body.memory.content).to.equal(content);
    expect(answer.headers.get('etag'), 'one revision per command').to.equal(`"${revision}"`);
  }
  for (const id of ledger.deleted()) expect((await service.request('GET', `/memory/${id}`)).status).to.equal(404);
}

/**
 * Recalls memories of the ledger by their unique word: all, or at least `atLeast`, evenly from oldest to newest.
 * Resolves with their number.
 */
export async function expectMemoriesRecalled(service: HttpCaller, ledger: Ledger, atLeast = Infinity): Promise<number> {
  const every = Math.max(1, Math.floor(ledger.memories().length / atLeast));
  const memories = ledger.memories().filter((_, index) => index % every === 0);
  for (const { id, token } of memories) {
    const recalled = await service.request('GET', `/recall?query=${token}&tags=${ledger.tag}&limit=1`);
    expect(recalled.body.results[0]?.id, `found by its word ${token}`).to.equal(id);
  }
  return memories.length;
}
