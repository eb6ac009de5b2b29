import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';

/** A card that left this page for the provider and whose end is not known here yet. No secret is in it. */
export type PendingSetup = { setupIntentId: string; primary: boolean };

const KEY = 'card-setup';
const NAME = /^seti_[A-Za-z0-9_]{1,200}$/;

export function keepPendingSetup(setup: PendingSetup): void {
  writeStored(KEY, JSON.stringify(setup), 'sessionStorage');
}

export function forgetPendingSetup(): void {
  removeStored(KEY, 'sessionStorage');
}

/** What this tab was adding, or what a bank's page says it sent back. */
export function findPendingSetup(query: URLSearchParams): PendingSetup | null {
  const stored = parse(readStored(KEY, 'sessionStorage'));
  if (stored !== null) return stored;
  const returned = query.get('setup_intent') ?? '';
  return NAME.test(returned) ? { setupIntentId: returned, primary: false } : null;
}

function parse(text: string | null): PendingSetup | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null || !('setupIntentId' in value)) return null;
    const { setupIntentId } = value;
    if (typeof setupIntentId !== 'string' || !NAME.test(setupIntentId)) return null;
    return { setupIntentId, primary: 'primary' in value && value.primary === true };
  } catch {
    return null;
  }
}
