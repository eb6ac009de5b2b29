import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import type { CancelTicketsProps } from '../cancel/cancel-dialog.tsx';
import { CancelTickets } from '../cancel/cancel-tickets.tsx';
import { hasCancellableTickets } from '../cancel/ticket-choices.ts';
import { changePage } from './change-page.ts';
import { explainNoChange } from './rules-now.ts';

/** What a buyer can do with a paid order. */
export function OrderActions(props: CancelTicketsProps) {
  return (
    <>
      <ChangeOrderLink order={props.order} />
      <CancelTickets {...props} />
    </>
  );
}

/** Opens the page on the ticket host that changes an order, as long as a boat with unused tickets is ahead. */
function ChangeOrderLink({ order }: { order: Order }) {
  const now = serverNow();
  if (!hasCancellableTickets(order, now)) return null;
  const refusal = explainNoChange(order, now);
  if (refusal !== null) return <p className="note">{refusal}</p>;
  return (
    <ButtonLink variant="quiet" block icon="swap" to={changePage(order)}>
      {t('Change order')}
    </ButtonLink>
  );
}
