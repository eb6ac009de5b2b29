import { createContext, use } from 'react';

/** Tells the customer why controls that need a connection are disabled; null while there is a connection. */
export const OffReason = createContext<string | null>(null);

/** Null for a control that works without a connection, and while there is one. */
export function useOffReason(needsConnection: boolean): string | null {
  const reason = use(OffReason);
  return needsConnection ? reason : null;
}
