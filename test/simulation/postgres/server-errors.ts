/** Errors as `pg` reports them. */

export function serverError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'ERROR' });
}

export const connectionLost = (): Error => new Error('Connection terminated unexpectedly');
