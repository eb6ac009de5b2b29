import { Suspense } from 'react';
import { t } from '#web/language/texts.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Button } from '#web/ui/form/button.tsx';
import { useLazyDialog } from '#web/ui/popup/use-lazy-dialog.ts';
import { explainNoCancellation } from '../actions/rules-now.ts';
import type { CancelTicketsProps } from './cancel-dialog.tsx';
import { hasCancellableTickets } from './ticket-choices.ts';

const CancelDialog = lazyComponent(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

/** Opens the cancellation of tickets, as long as some are unused and their boats have not departed. */
export function CancelTickets({ order, queryKey }: CancelTicketsProps) {
  const dialog = useLazyDialog<true>();
  const isOpen = dialog.content !== null;
  const now = serverNow();
  const isOffered = hasCancellableTickets(order, now);
  const refusal = explainNoCancellation(order, now);
  if (!isOffered && !isOpen) return null;
  if (refusal !== null && !isOpen) return <p className="note">{refusal}</p>;

  function close() {
    dialog.close();
    // The button disappears with the last ticket.
    if (!isOffered) focusMain();
  }

  return (
    <>
      <Button variant="quiet" block icon="close" needsConnection onClick={() => dialog.open(true)}>
        {t('Cancel tickets')}
      </Button>
      <Suspense>{isOpen && <CancelDialog order={order} queryKey={queryKey} onClose={close} />}</Suspense>
    </>
  );
}
