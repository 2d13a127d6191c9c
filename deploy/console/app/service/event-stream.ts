/**
 * The live stream by `fetch`, because `EventSource` cannot send tokens. After a cut it goes on behind the last event.
 */
import { createParser } from 'eventsource-parser';
import { isEnvelope } from '../../../../shared/client/attempt-call.js';
import { withAnySignal } from '../../../../shared/kernel/concurrency/abort-signals.js';
import type { Frame } from './frame.js';
import { isAway, refuse, reportFound, reportLost, SERVICE_URL } from './service.js';
import { tokens } from './session.js';

export type StreamListener = {
  readonly onFrame: (frame: Frame) => void;
  readonly onOpen: () => void;
  /** Once for each cut: the stream ended or failed, and is opened again unless the service refused it. */
  readonly onCut: (reason: string, isFinal: boolean) => void;
};

/** The service sends a comment long before this. */
const SILENCE_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** Begins after the event with this id, without one with new events. Returns the function that ends it. */
export function watchStream(listener: StreamListener, after: string | null = null): () => void {
  const end = new AbortController();
  void follow(listener, after, end.signal);
  return () => end.abort();
}

async function follow(listener: StreamListener, after: string | null, ended: AbortSignal): Promise<void> {
  let lastId = after;
  let pauseMs = FIRST_PAUSE_MS;
  let isCut = false;
  while (!ended.aborted) {
    const reason = await readOnce({
      lastId,
      ended,
      onOpen: () => {
        pauseMs = FIRST_PAUSE_MS;
        isCut = false;
        reportFound();
        listener.onOpen();
      },
      onFrame: (frame) => {
        lastId = frame.id ?? lastId;
        listener.onFrame(frame);
      },
    });
    if (ended.aborted) return;
    if (!isCut || reason.isFinal) listener.onCut(reason.text, reason.isFinal);
    isCut = true;
    if (reason.isFinal) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

type Once = {
  readonly lastId: string | null;
  readonly ended: AbortSignal;
  readonly onOpen: () => void;
  readonly onFrame: (frame: Frame) => void;
};

type Cut = { readonly text: string; readonly isFinal: boolean };

/** Reads until the stream ends, and returns why. */
async function readOnce(once: Once): Promise<Cut> {
  const silence = new AbortController();
  return withAnySignal([once.ended, silence.signal], (signal) => readUntil(signal, silence, once));
}

async function readUntil(
  signal: AbortSignal,
  silence: AbortController,
  { lastId, ended, onOpen, onFrame }: Once,
): Promise<Cut> {
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const sent = tokens.get();
    const response = await fetch(`${SERVICE_URL}/stream`, {
      headers: {
        ...(sent.token === '' ? {} : { Authorization: `Bearer ${sent.token}` }),
        ...(lastId === null ? {} : { 'Last-Event-ID': lastId }),
      },
      signal,
    });
    if (!response.ok || response.body === null) {
      const body = (await response.json().catch(() => null)) as { readonly message?: string } | null;
      const { status } = response;
      if (isAway({ status, hasEnvelope: isEnvelope(body) })) reportLost();
      const text = body?.message ?? `HTTP ${status}`;
      if (status === 401 && (await refuse(text, sent))) return { text: 'The sign-in was renewed.', isFinal: false };
      return { text, isFinal: status >= 400 && status < 500 };
    }
    onOpen();
    // The service writes each frame in this shape.
    const parser = createParser({
      onEvent: ({ id = null, data }) => onFrame({ id, ...(JSON.parse(data) as Omit<Frame, 'id'>) }),
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return { text: 'The service ended the stream.', isFinal: false };
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(value);
    }
  } catch {
    if (!ended.aborted) reportLost();
    return {
      text: silence.signal.aborted ? 'The service was silent for a minute.' : 'The connection was lost.',
      isFinal: false,
    };
  } finally {
    clearTimeout(timer);
  }
}
