/** The ids of everything that the corpus put into a service. */
import type { HttpCaller } from '../support/http-caller.js';
import { PEOPLE } from './corpus.js';

const PAGE = 200;

/** Each memory of the corpus has the tag of one person. */
export async function corpusIds(target: HttpCaller): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const person of PEOPLE) {
    for (let offset = 0, more = true; more; offset += PAGE) {
      const { status, body } = await target.request(
        'GET',
        `/memory/by-tag?tags=person:${person.toLowerCase()}&limit=${PAGE}&offset=${offset}`,
      );
      if (status !== 200) throw new Error(`A page of memories was answered ${status}: ${JSON.stringify(body)}`);
      ids.push(...(body.memories as { id: string }[]).map(({ id }) => id));
      more = body.has_more;
    }
  }
  return ids;
}
