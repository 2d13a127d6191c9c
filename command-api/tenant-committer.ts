/** The committer of a tenant: each event that it commits names the tenant. */
import type { Committer } from '../shared/ports/committer.js';

/** `tenant`: its name; null for the default one, whose events name none. */
export function createTenantCommitter(committer: Committer, tenant: string | null): Committer {
  if (tenant === null) return committer;
  return {
    ...committer,
    commit: (commands) =>
      committer.commit(
        commands.map((command) => ({ ...command, events: command.events.map((event) => ({ ...event, tenant })) })),
      ),
  };
}
