/** Serves `GET /metrics` on a port of its own: without a token, and unreachable for callers of the API. */
import type { RequestListener } from 'node:http';
import type { Logger } from '../kernel/logger.js';
import type { PrometheusMetrics } from '../kernel/metrics/prometheus-metrics.js';
import { listen } from './listen.js';

export type MetricsConfig = {
  readonly port: number;
  /** undefined for every address. */
  readonly host: string | undefined;
};

/** Requests of a scrape end at once, so open ones are cut when the server closes. */
const CLOSE_MS = 0;

/** Null without `config`: the process reports nothing. */
export async function openMetrics({
  config,
  logger,
  ...about
}: {
  readonly config: MetricsConfig | null;
  readonly service: string;
  readonly version: string;
  readonly logger: Logger;
}): Promise<(MetricsServer & { readonly metrics: PrometheusMetrics }) | null> {
  if (config === null) return null;
  const metrics = await createMetrics(about);
  return { metrics, ...(await serveMetrics({ metrics, config, logger })) };
}

/** Not loaded without a port for metrics: prom-client takes 50 ms of processor time. */
export async function createMetrics(about: {
  readonly service: string;
  readonly version: string;
}): Promise<PrometheusMetrics> {
  const { createPrometheusMetrics } = await import('../kernel/metrics/prometheus-metrics.js');
  return createPrometheusMetrics(about);
}

export type MetricsServer = { readonly port: number; readonly close: () => Promise<void> };

/** Throws ConfigurationError when the port cannot be opened. */
export async function serveMetrics({
  metrics,
  config: { port, host },
  logger,
}: {
  readonly metrics: Pick<PrometheusMetrics, 'text' | 'contentType'>;
  readonly config: MetricsConfig;
  readonly logger: Logger;
}): Promise<MetricsServer> {
  const answer: RequestListener = ({ method, url = '' }, response) => {
    const [path] = url.split('?');
    if (path !== '/metrics') return void response.writeHead(404).end('Not found: this port serves GET /metrics\n');
    if (method !== 'GET' && method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end('Send GET /metrics\n');
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        logger.error({ err: error }, 'collecting metrics failed');
        response.writeHead(500).end('Collecting metrics failed: the log of the process says why\n');
      },
    );
  };
  const server = await listen({ callback: () => answer }, { port, host, portVariable: 'METRICS_PORT' });
  return { port: server.port, close: () => server.close(CLOSE_MS) };
}
