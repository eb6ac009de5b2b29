import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import {
  changeStaffOrder,
  makeFreeChange,
  quoteFreeChange,
  quoteStaffChange,
} from '#contract/desk/changes/endpoints.ts';
import { REFUND_REASON_LENGTH } from '#contract/desk/limits.ts';
import { formatMoney } from '#domain/format/money.ts';
import type { Direction } from '#domain/orders/legs.ts';
import { LegList } from '#web/features/order/leg-list.tsx';
import { listChangeLines } from '#web/features/order/price/change-lines.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { SentenceList } from '#web/features/site/sentence-list.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { ChangeQuote, Leg, StaffOrder } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { PaymentFields, readPayment, type TypedPayment } from '#web/staff/gate/payment-fields.tsx';
import { HoldTimeSelect } from '#web/staff/gate/queue/hold-fields.tsx';
import { usePermission } from '#web/staff/session/staff-session.ts';
import { PriceBreakdown } from '#web/ui/data/price-breakdown.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { staffOrderQuery, useShowOrder } from '../staff-order.ts';
import { RefundParts } from './refund-parts.tsx';

type MoveReviewProps = {
  staffOrder: StaffOrder;
  journeys: readonly { direction: Direction; legs: readonly Leg[] }[];
  onBack: () => void;
  onClose: () => void;
};

const QUOTE_KEY = 'staff-change-quote';

/** `minutes`: how long the places are held if the buyer pays by a mailed link. */
type Values = TypedPayment<'link'> & { reason: string; minutes: string };

type Quoting = { order: StaffOrder['order']; moved: InputOf<typeof quoteStaffChange>['body']['journeys'] };

/** The price of other boats; of another version of the order it may be another. */
function useQuote({ order: { reference, version }, moved }: Quoting, isFree: boolean) {
  return useQuery({
    queryKey: [QUOTE_KEY, reference, version, moved, isFree] as const,
    queryFn: ({ signal }) =>
      request(isFree ? quoteFreeChange : quoteStaffChange, {
        params: { reference },
        body: { journeys: moved },
        signal,
      }),
    gcTime: 0,
    retry: false,
  });
}

/** What other boats cost or give back, and how the buyer pays, before the order is moved. */
export function MoveReview({ staffOrder, journeys, onBack, onClose }: MoveReviewProps) {
  const { order } = staffOrder;
  const formId = useId();
  const mayRefund = usePermission('refund_orders');
  const [isFree, setIsFree] = useState(false);
  const moved = journeys.map(({ direction, legs }) => ({
    direction,
    sailingIds: legs.map(({ sailingId }) => sailingId),
  }));
  const { data: quote, error } = useQuote({ order, moved }, isFree);
  const form = useMoveForm({ order, moved }, { quote, isFree, onClose });
  const { values, change } = form;
  return (
    <Modal
      title={t('Another day or boat')}
      onClose={onClose}
      canClose={!form.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={form.isPending} onClick={onBack}>
            {t('Back')}
          </Button>
          {quote && (
            <Button
              type="submit"
              form={formId}
              needsConnection
              isPending={form.isPending}
              pendingText={t('One moment…')}
            >
              {nameMove(quote, isPaid(quote) && values.method === 'link')}
            </Button>
          )}
        </>
      }
    >
      <Form form={form} id={formId} problemTitle={t('Nothing is changed yet')}>
        <LegList legs={journeys.flatMap(({ legs }) => legs)} />
        {mayRefund && (
          <Checkbox
            label={t('Without a fee, beyond the fare’s rules')}
            description={t('The price difference stays.')}
            checked={isFree}
            onChange={({ target }) => setIsFree(target.checked)}
          />
        )}
        {isFree && (
          <TextField
            {...form.input('reason')}
            label={t('Reason')}
            hint={t('The log keeps it. Write no names.')}
            autoComplete="off"
            maxLength={REFUND_REASON_LENGTH}
            required
          />
        )}
        {quote ? (
          <Quoted quote={quote} />
        ) : error ? (
          <Problem text={errorText(error)} />
        ) : (
          <Skeleton height="2rem" lines={4} />
        )}
        {isPaid(quote) && (
          <PaymentFields
            payment={values}
            {...form.field('typed')}
            others={
              order.contact.email === ''
                ? []
                : [{ value: 'link', label: t('Mail them a link to pay by card') }]
            }
            onChange={change}
          />
        )}
        {isPaid(quote) && values.method === 'link' && (
          <Stack>
            <HoldTimeSelect {...form.input('minutes')} />
            <p>{t('The order stays as it is until they pay.')}</p>
          </Stack>
        )}
        <Disclosure summary={t('{fare} fare: the rules', { fare: order.fareClass.name })}>
          <SentenceList sentences={order.policyText} />
        </Disclosure>
      </Form>
    </Modal>
  );
}

type MoveFormOptions = { quote: ChangeQuote | undefined; isFree: boolean; onClose: () => void };

/** Moves the order as quoted, with what the buyer pays and why it is free. */
function useMoveForm({ order, moved }: Quoting, { quote, isFree, onClose }: MoveFormOptions) {
  const params = { reference: order.reference };
  const client = useQueryClient();
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  return useForm({
    initial: (): Values => ({ reason: '', method: 'cash', typed: '', minutes: '120' }),
    check: (values) => ({
      ...(isFree && values.reason.trim() === '' && { reason: t('Say why.') }),
      ...(isPaid(quote) && readChangePayment(values) === null && { typed: t('Enter it to go on.') }),
    }),
    send: (values) => {
      if (quote === undefined) throw new Error('The price is not there yet.');
      const { version, difference } = quote;
      const body = {
        journeys: moved,
        version,
        difference,
        payment: isPaid(quote) ? readChangePayment(values) : null,
      };
      const reason = values.reason.trim();
      return isFree
        ? requestOnce(makeFreeChange, { params, body: { ...body, reason } })
        : requestOnce(changeStaffOrder, { params, body });
    },
    onDone: (changed) => {
      const { email } = changed.order.contact;
      show(
        changed,
        changed.paymentLink !== null
          ? t('The link is on its way to {email}.', { email })
          : email === ''
            ? t('The order is changed.')
            : t('The order is changed. The new tickets are on their way to {email}.', { email }),
      );
      onClose();
    },
    onFailed: (failure) => {
      if (hasErrorCode(failure, 'version_conflict')) {
        void client.invalidateQueries(staffOrderQuery(order.reference));
        void client.invalidateQueries({ queryKey: [QUOTE_KEY] });
      }
      return undefined;
    },
    byCode: {
      ...{ unknown_trip_card: 'typed', insufficient_balance: 'typed' },
      ...{ trip_card_frozen: 'typed', trip_card_lost: 'typed' },
    },
    busyReason: 'an order being moved',
  });
}

/** Null while something is missing. */
function readChangePayment({ method, typed, minutes }: Values) {
  return method === 'link' ? { method, minutes: Number(minutes) } : readPayment({ method, typed });
}

function isPaid(quote: ChangeQuote | undefined): boolean {
  return quote !== undefined && quote.difference > 0;
}

function Quoted({ quote }: { quote: ChangeQuote }) {
  const { difference, currency, destinations, notes } = quote;
  return (
    <Stack>
      <PriceBreakdown
        lines={listChangeLines(quote, t('Already paid for the earlier tickets'))}
        total={
          difference < 0
            ? { label: t('Refund'), amount: -difference }
            : { label: t('To pay now'), amount: difference }
        }
        currency={currency}
      />
      {difference < 0 && <RefundParts destinations={destinations} currency={currency} />}
      {notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
    </Stack>
  );
}

function nameMove({ difference, currency }: ChangeQuote, isByLink: boolean): string {
  if (difference === 0) return t('Change the order');
  const amount = formatMoney(Math.abs(difference), currency, textLanguage());
  if (isByLink) return t('Mail the link to pay {amount}', { amount });
  return difference > 0
    ? t('{amount} taken: change the order', { amount })
    : t('Change the order, refund {amount}', { amount });
}
