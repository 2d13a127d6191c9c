/** A problem that prevents a launch, and how a person can solve it. The message is shown without a stack. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
