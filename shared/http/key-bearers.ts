/** Keys as bearer texts: those of the default tenant, and those of the other tenants, which their services check. */
import { type Help, UnauthenticatedError } from '../kernel/errors.js';
import { isIntactKey, isKey, tenantOfKey } from '../kernel/keys.js';
import type { BearerKind, CheckedKey, CheckKey } from './auth.js';
import { requireActive, type Tenancy } from './tenancy.js';

/** `tenancy`: for the keys of tenants; null: the deployment has none. */
export function keyBearers(checkKey: CheckKey, tenancy: Tenancy | null): BearerKind {
  async function checkIn(tenant: string | null, ...call: Parameters<CheckKey>): Promise<CheckedKey | null> {
    if (tenant === null) return checkKey(...call);
    const served = (await tenancy?.open(tenant)) ?? null;
    if (served === null) return null;
    try {
      const key = (await served.service.checkKey?.(...call)) ?? null;
      if (key !== null) requireActive(served.tenant);
      return key;
    } finally {
      served.release();
    }
  }

  return {
    recognizes: isKey,
    closesApi: false,
    namesTenant: (text) => isIntactKey(text) && tenantOfKey(text) !== null,
    check: async (text) => {
      const tenant = isIntactKey(text) ? tenantOfKey(text) : null;
      const key = await checkIn(tenant, text);
      if (key === null) throw new UnauthenticatedError('Unauthorized', 'api', KEY_HELP);
      const { id, name, scopes, tag, quota } = key;
      const isValid = async (): Promise<boolean> => (await checkIn(tenant, text, { isUse: false })) !== null;
      return {
        tenant,
        name,
        title: `The key '${name}'`,
        scopeHint: SCOPE_HINT,
        scope: `key ${id}`,
        scopes,
        tag,
        quota,
        isValid,
      };
    },
  };
}

const KEY_HELP: Help = {
  detail: 'The key is not complete, is unknown, was revoked or has expired.',
  hint: 'Send the whole key as it was shown, or ask an administrator for a new one.',
};
const SCOPE_HINT = 'Use a key that has this scope: an administrator makes one with POST /admin/keys.';
