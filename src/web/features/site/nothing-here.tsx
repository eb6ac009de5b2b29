import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';

/** The page of addresses that lead nowhere; `action` leads on. */
export function NothingHere({ action }: { action: ReactNode }) {
  return (
    <EmptyState titleAs="h1" icon="anchor" title={t('Page not found')} action={action}>
      {t('The link may be old or mistyped.')}
    </EmptyState>
  );
}
