import { useState } from 'react';
import { cancelStaffTickets, quoteStaffCancellation } from '#contract/desk/refunds/endpoints.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { ChooseTickets } from '#web/features/order/cancel/choose-tickets.tsx';
import { listJourneyChoices } from '#web/features/order/cancel/ticket-choices.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { CancellationQuote, StaffOrder } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { ReviewDialog } from '#web/staff/review-dialog.tsx';
import { usePermission } from '#web/staff/session/staff-session.ts';
import { PriceBreakdown } from '#web/ui/data/price-breakdown.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { useShowOrder } from '../staff-order.ts';
import { RefundParts } from './refund-parts.tsx';

type CancelDialogProps = { staffOrder: StaffOrder; onClose: () => void };

/** Cancels tickets by the fare's rules, as the buyer could. */
export function CancelDialog({ staffOrder, onClose }: CancelDialogProps) {
  const { order } = staffOrder;
  const params = { reference: order.reference };
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [quote, setQuote] = useState<CancellationQuote | null>(null);
  const mayRefund = usePermission('refund_orders');
  useBusyWhile(true, 'tickets being canceled');
  const look = useAction(
    () => request(quoteStaffCancellation, { params, body: { ticketIds: [...chosen] } }),
    { onDone: setQuote },
  );
  const cancel = useAction(
    ({ version, refund }: CancellationQuote) => {
      const body = { ticketIds: [...chosen], version, refund };
      return requestOnce(cancelStaffTickets, { params, body });
    },
    {
      onDone: (changed) => {
        show(changed, t('The tickets are canceled.'));
        onClose();
      },
    },
  );
  if (quote !== null) {
    return (
      <ReviewDialog
        title={t('Cancel {count, plural, one {# ticket} other {# tickets}}', { count: quote.tickets.length })}
        confirm={t('Cancel {count, plural, one {# ticket} other {# tickets}}', {
          count: quote.tickets.length,
        })}
        isDangerous
        action={{ ...cancel, run: () => cancel.run(quote) }}
        onBack={() => setQuote(null)}
        onClose={onClose}
      >
        <QuotedRefund quote={quote} staffOrder={staffOrder} />
      </ReviewDialog>
    );
  }
  return (
    <Modal
      title={t('Cancel tickets')}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Keep tickets')}
          </Button>
          <Button
            needsConnection
            aria-disabled={chosen.length === 0}
            isPending={look.isPending}
            onClick={() => chosen.length > 0 && look.run()}
          >
            {t('See the refund')}
          </Button>
        </>
      }
    >
      <Stack>
        <Problem text={look.problem} />
        <p>{t('The buyer gets back what the fare’s rules say. You see it before anything is canceled.')}</p>
        {!mayRefund && <p>{t('The office can refund more than that.')}</p>}
        <ChooseTickets
          journeys={listJourneyChoices(order, serverNow())}
          chosen={chosen}
          onChange={setChosen}
        />
      </Stack>
    </Modal>
  );
}

/** What was paid for each ticket, what the fare keeps, and where the rest goes. */
function QuotedRefund({
  quote,
  staffOrder: { order },
}: {
  quote: CancellationQuote;
  staffOrder: StaffOrder;
}) {
  const { tickets, paid, fee, refund, currency, notes } = quote;
  const unrefunded = paid - fee - refund;
  return (
    <>
      <PriceBreakdown
        lines={[
          ...tickets.map(({ ticketId, leg, title, isDriver, paid: amount }) => {
            const own = order.tickets.filter((each) => each.leg === leg);
            const shown = own.find(({ id }) => id === ticketId);
            const [label, detail] = shown ? describeTicket(t, shown, own) : [title, null];
            return {
              ...{ id: ticketId, label: <bdi>{label}</bdi>, detail },
              amount: isDriver ? t('Included') : amount,
            };
          }),
          ...(unrefunded > 0
            ? [{ id: 'unrefunded', label: t('Not refunded under the fare’s rules'), amount: -unrefunded }]
            : []),
          ...(fee > 0 ? [{ id: 'fee', label: t('Cancellation fee'), amount: -fee }] : []),
        ]}
        total={{ label: t('Refund'), amount: refund }}
        currency={currency}
      />
      <RefundParts destinations={quote.destinations} currency={currency} />
      {notes.length > 0 && (
        <Notice>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      )}
    </>
  );
}
