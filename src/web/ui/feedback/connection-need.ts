import { createContext, use } from 'react';

/** Why what needs a connection is off just now, in a sentence for the customer; null while there is one. */
export const OffReason = createContext<string | null>(null);

/** Null for what works without a connection, and for everything while there is one. */
export function useOffReason(needsConnection: boolean): string | null {
  const reason = use(OffReason);
  return needsConnection ? reason : null;
}
