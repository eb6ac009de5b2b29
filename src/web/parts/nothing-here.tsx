import type { ReactNode } from 'react';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** The page of addresses that lead nowhere; `action` leads on. */
export function NothingHere({ action }: { action: ReactNode }) {
  return (
    <EmptyState titleAs="h1" icon="anchor" title="There is nothing at this address" action={action}>
      The link may be old, or a letter of it got lost on the way.
    </EmptyState>
  );
}
