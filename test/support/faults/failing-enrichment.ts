/** A memory that the enricher fails for: it reads the time before each memory, and that read fails for this one. */
import type { ServiceOptions } from '../processes/service.js';

/** The end of the time before. */
const BEFORE = '1999-12-31T11:59:59';

export type FailingEnrichment = {
  /** Of a service that enriches, and does not repeat an attempt. */
  readonly options: ServiceOptions;
  /** The memory must have it. */
  readonly timestamp: string;
  /** Until the test sets it to false. */
  isFailing: boolean;
};

export function failingEnrichment(): FailingEnrichment {
  const enrichment: FailingEnrichment = {
    timestamp: '1999-12-31T12:00:00Z',
    isFailing: true,
    options: {
      enriches: true,
      variables: { ENRICHMENT_MAX_ATTEMPTS: '1', ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0' },
      alter: (engines) => ({
        ...engines,
        graph: {
          ...engines.graph,
          newestWithin: async (request) => {
            if (enrichment.isFailing && request.windows.some(({ end }) => end.startsWith(BEFORE)))
              throw new TypeError('the poison of the test');
            return engines.graph.newestWithin(request);
          },
        },
      }),
    },
  };
  return enrichment;
}
