/** Finds the model of an index from before the vector spaces: of its points, because nothing else names it. */
import { SUPPLIED_MODEL } from '../ports/point-payload.js';
import type { PointReader } from '../ports/vectors.js';

const PAGE = 1_000;
/** An index whose first points were all supplied by callers counts as one without a model. */
const PAGE_LIMIT = 10;

/** Null for an index without points of an embedder. */
export async function storedModel(points: Pick<PointReader, 'scan'>): Promise<string | null> {
  for (let page = 0, after = ''; page < PAGE_LIMIT; page += 1) {
    const found = await points.scan({ after, limit: PAGE });
    const embedded = found.find(({ model }) => model !== SUPPLIED_MODEL);
    const last = found.at(-1);
    if (embedded || !last) return embedded?.model ?? null;
    after = last.id;
  }
  return null;
}
