/** What a process says of itself to start its tracing. */
import type { Environment } from '../config/config.js';
import type { Logger } from '../logger.js';

export type TracedProcess = {
  /** The name of the process, for example `query-api`. `OTEL_SERVICE_NAME` replaces it. */
  readonly service: string;
  readonly version: string;
  readonly environment: Environment;
  readonly logger: Logger;
};

export type Tracing = {
  /** Sends the last spans, for at most two seconds. Never rejects. */
  readonly stop: () => Promise<void>;
};

export const TRACER_NAME = 'palimpsest';
