import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { createChange } from '#contract/orders/change/endpoints.ts';
import {
  BuyerCodeForm,
  type Proof,
  useBuyerCodeForm,
  useMailedCode,
} from '#web/features/order/buyer-code.tsx';
import { describeDestination } from '#web/features/order/cancel/refund-summary.tsx';
import { listChangeLines } from '#web/features/order/price/change-lines.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { ChangeQuote, Order, OrderChange } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { CUSTOMER_ORDERS_KEY } from '#web/platform/query/query-keys.ts';
import { PriceBreakdown } from '#web/ui/data/price-breakdown.tsx';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { toHeldPlaces } from '../hold.ts';
import { usePurchase } from '../purchase.ts';
import { confirmationPath } from '../steps.ts';
import type { ChangeRequest } from './queries.ts';

type ConfirmChangeProps = { order: Order; quote: ChangeQuote; body: ChangeRequest };

/** The sums of a change line by line, and the button that makes it; for guests with a mailed code. */
export function ConfirmChange({ order, quote, body }: ConfirmChangeProps) {
  const formId = useId();
  const client = useQueryClient();
  const purchase = usePurchase();
  const navigate = useNavigate();
  const [asksForCode, setAsksForCode] = useState(false);

  function send(proof: Proof | null): Promise<OrderChange> {
    const { version, difference } = quote;
    const sent = { ...body, version, difference, ...(proof === null ? {} : { proof }) };
    return purchase.writes.run(JSON.stringify(sent), (idempotencyKey) =>
      request(createChange, { params: { id: order.id }, body: sent, idempotencyKey }),
    );
  }

  function finish({ id, status, difference, expiresAt, asOf }: OrderChange) {
    if (status !== 'done' && expiresAt !== null) {
      const hold = toHeldPlaces({ id, expiresAt, canExtend: false, asOf });
      purchase.change({ change: { id, difference }, hold, orderId: order.id });
      return;
    }
    purchase.clear();
    void client.invalidateQueries({ queryKey: CUSTOMER_ORDERS_KEY });
    void client.invalidateQueries(orderQuery(order.id));
    void navigate(confirmationPath(order.id), { replace: true });
  }

  function refresh(failure: Error) {
    if (hasErrorCode(failure, 'version_conflict')) void client.refetchQueries(orderQuery(order.id));
  }

  const change = useAction(() => send(null), { onDone: finish, onFailed: refresh, explain: explainUnknown });
  const code = useMailedCode(order.id, () => setAsksForCode(true));
  const form = useBuyerCodeForm({
    mailed: code.mailed,
    send,
    onDone: finish,
    explain: explainUnknown,
  });
  return (
    <Stack>
      <Sums quote={quote} />
      {!asksForCode && quote.needsCode && order.contact.email && (
        <p>
          {rich('Only the buyer can change the order, so we email a code to <address>{email}</address>.', {
            email: order.contact.email,
            address: () => <EmailAddress>{order.contact.email}</EmailAddress>,
          })}
        </p>
      )}
      <Problem text={change.problem ?? (asksForCode ? null : code.mail.problem)} />
      {asksForCode && <BuyerCodeForm {...code} id={formId} form={form} />}
      {asksForCode ? (
        <Button type="submit" form={formId} size="large" block needsConnection isPending={form.isPending}>
          {nameChange(quote)}
        </Button>
      ) : (
        <Button
          size="large"
          block
          needsConnection
          isPending={change.isPending || code.mail.isPending}
          onClick={() => (quote.needsCode ? code.mail.run() : change.run())}
        >
          {quote.needsCode ? t('Email me a code') : nameChange(quote)}
        </Button>
      )}
    </Stack>
  );
}

function Sums({ quote }: { quote: ChangeQuote }) {
  const { difference, currency, destinations, notes } = quote;
  return (
    <Stack>
      <PriceBreakdown
        lines={listChangeLines(quote, t('Already paid for your earlier tickets'))}
        total={
          difference < 0
            ? { label: t('Refund'), amount: -difference }
            : { label: t('To pay now'), amount: difference }
        }
        currency={currency}
      />
      {destinations.map((each) => (
        <p key={`${each.destination} ${each.lastFour}`}>{describeDestination(each, currency)}</p>
      ))}
      {notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      <p className="note">{t('Your tickets stay valid until the change is done.')}</p>
    </Stack>
  );
}

function nameChange({ difference }: ChangeQuote): string {
  return difference > 0 ? t('Continue to payment') : t('Change order');
}

function explainUnknown(failure: Error): string {
  return isOutcomeKnown(failure)
    ? explainFailure(failure)
    : t('Our answer did not arrive. Your order may be changed already. Try again: it is changed only once.');
}
