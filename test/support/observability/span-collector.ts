/** A collector of spans: it takes what processes export by OTLP over HTTP, and keeps the protobuf bodies. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request of an exporter. It holds spans of one process. */
export type ExportedSpans = { readonly path: string; readonly type: string; readonly body: Buffer };

export type SpanCollector = {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly exports: () => readonly ExportedSpans[];
  readonly close: () => Promise<void>;
};

export async function openSpanCollector(): Promise<SpanCollector> {
  const exports: ExportedSpans[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      exports.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body });
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports: () => exports,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
