/** A receiver of webhooks on a port of this machine. It records each event, verified as Standard Webhooks asks. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { CloudEvent } from '../../../shared/contract/events.js';

export type ReceivedEvent = {
  readonly id: string;
  readonly event: CloudEvent;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was signed. */
  readonly body: string;
};

/** A status, or a function that answers itself, or not at all. */
export type ReceiverAnswer = number | ((response: ServerResponse) => void);

export type WebhookReceiver = {
  readonly url: string;
  readonly port: number;
  /** Every request that was verified, in the order of arrival, whatever its answer was. */
  readonly received: readonly ReceivedEvent[];
  /** Problems of signatures. */
  readonly rejected: readonly string[];
  /** Decides the next answers. */
  readonly answer: (decide: (received: ReceivedEvent) => ReceiverAnswer) => void;
  /** Secrets of which each must verify. Without one, signatures are not checked. */
  readonly expectSecrets: (...secrets: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

export async function startWebhookReceiver({
  port = 0,
  tls,
}: {
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
} = {}): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const rejected: string[] = [];
  let decide: (of: ReceivedEvent) => ReceiverAnswer = () => 204;
  let verifiers: readonly Webhook[] = [];

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    try {
      for (const verifier of verifiers) verifier.verify(body, headers);
    } catch (error) {
      rejected.push(String(error));
      response.writeHead(400).end();
      return;
    }
    const one = { id: headers['webhook-id'] ?? '', event: JSON.parse(body) as CloudEvent, headers, body };
    received.push(one);
    const answer = decide(one);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response);
  }

  const handle: RequestListener = (request, response) => {
    take(request, response).catch(() => response.destroy()); // the sender has ended the connection
  };
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${own}/events`,
    port: own,
    received,
    rejected,
    answer: (next) => {
      decide = next;
    },
    expectSecrets: (...secrets) => {
      verifiers = secrets.map((secret) => new Webhook(secret));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
