import { register } from '#contract/registration/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { Registration } from '#web/platform/api/types.ts';
import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';

const KEY = 'registration';

/**
 * Asks for an account, and keeps what proves at the confirmation that this browser asked: the mailed link opens another
 * tab.
 */
export async function startRegistration(registration: Registration): Promise<void> {
  const started = await request(register, { body: registration });
  if (started === null) return;
  const { temp, expiresIn } = started;
  writeStored(KEY, JSON.stringify({ temp, expiresAt: Date.now() + expiresIn * 1000 }));
}

/** The proof of this browser's last registration; null if there is none, or its link has expired. */
export function findRegistration(): string | null {
  try {
    const { temp, expiresAt } = JSON.parse(readStored(KEY) ?? 'null') ?? {};
    if (typeof temp === 'string' && typeof expiresAt === 'number' && expiresAt > Date.now()) return temp;
  } catch {
    // Not ours; removed below.
  }
  forgetRegistration();
  return null;
}

export function forgetRegistration(): void {
  removeStored(KEY);
}
