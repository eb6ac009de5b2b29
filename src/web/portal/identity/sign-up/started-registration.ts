import { register } from '#contract/identity/registration/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { Registration } from '#web/platform/api/types.ts';
import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';

const KEY = 'registration';

/** Requests an account, and stores the proof that this browser did, because the mailed link opens another tab. */
export async function startRegistration(registration: Registration): Promise<void> {
  const started = await request(register, { body: registration });
  if (started === null) return;
  const { temp, expiresIn } = started;
  writeStored(KEY, JSON.stringify({ temp, expiresAt: Date.now() + expiresIn * 1000 }));
}

/** The proof of this browser's last registration; null if there is none, or its link has expired. */
export function findRegistration(): string | null {
  const { temp, expiresAt } = (readStoredJson(KEY) ?? {}) as Record<string, unknown>;
  if (typeof temp === 'string' && typeof expiresAt === 'number' && expiresAt > Date.now()) return temp;
  forgetRegistration();
  return null;
}

export function forgetRegistration(): void {
  removeStored(KEY);
}
