/** Resolves with the error of a rejected promise. A promise that resolves fails the test. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const settled = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in settled && settled.error instanceof Error) return settled.error;
  throw new Error(`expected a rejection with an Error, got ${JSON.stringify(settled)}`);
}
