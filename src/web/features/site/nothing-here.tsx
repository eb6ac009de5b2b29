import type { ReactNode } from 'react';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';

/** The page of addresses that lead nowhere; `action` leads on. */
export function NothingHere({ action }: { action: ReactNode }) {
  return (
    <EmptyState titleAs="h1" icon="anchor" title="Page not found" action={action}>
      The link may be old or mistyped.
    </EmptyState>
  );
}
