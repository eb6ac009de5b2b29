import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getStaffOrder } from '#contract/desk/orders/endpoints.ts';
import { quoteQueueEntry, sellToQueueEntry, sendPaymentLink } from '#contract/gate/sales/endpoints.ts';
import { formatMoney } from '#domain/format/money.ts';
import { startRecipient } from '#web/features/order/receipts/recipient-fields.tsx';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { BoatDetails, QueueEntry, Quote, SentPaymentLink, Sold } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { createIdempotentWrites } from '#web/platform/idempotency/idempotent-writes.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { describeHeldBack } from '#web/staff/boats/places.ts';
import { PrintTickets } from '#web/staff/print/print-tickets.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField, ReferenceField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { PaymentFields, readPayment, type TypedPayment } from '../payment-fields.tsx';
import { checkInvoice, InvoiceFields, type InvoiceValues, readInvoice } from './invoice-fields.tsx';
import { checkLink, LinkFields, type LinkValues, readLink, SentLink, startLink } from './payment-link.tsx';
import { queueQuery } from './queue.ts';
import styles from './queue-view.module.css';

type SellDialogProps = {
  entry: QueueEntry;
  title: string;
  /** A sailing of the boat. */
  sailingId: string;
  /** Absent: the seller lets no one aboard. */
  onBoard: ((tickets: readonly string[]) => void) | undefined;
  /** The first field takes the focus. */
  startsFocused: boolean;
  onClose: (isSold: boolean) => void;
};

/** Sells a party of the queue its tickets: the price, what is taken, and the tickets for the buyer's phone. */
export function SellDialog(props: SellDialogProps) {
  const { entry, title, sailingId, onBoard, startsFocused, onClose } = props;
  const client = useQueryClient();
  const [sold, setSold] = useState<Sold | null>(null);
  const [sentLink, setSentLink] = useState<(SentPaymentLink & { email: string }) | null>(null);
  const prices = useQuery({
    queryKey: ['turn-up-quotes', entry.id] as const,
    queryFn: ({ signal }) => request(quoteQueueEntry, { params: { id: entry.id }, signal }),
    gcTime: 0,
    retry: false,
  });
  if (sold) return <SoldTickets sold={sold} title={title} onBoard={onBoard} onClose={() => onClose(true)} />;
  if (sentLink) return <SentLink link={sentLink} onClose={() => onClose(true)} />;
  const leave = () => onClose(false);
  const quotes = prices.data?.quotes ?? [];
  const [cheapest] = quotes;
  if (!cheapest) {
    return (
      <Modal title={title} onClose={leave}>
        <QueryFallback query={prices} problem={t('They cannot be sold tickets')} loading={t('Loading…')}>
          <Skeleton height="12rem" />
        </QueryFallback>
      </Modal>
    );
  }
  return (
    <SellForm
      entry={entry}
      title={title}
      quotes={[cheapest, ...quotes.slice(1)]}
      heldBack={prices.data?.heldBack ?? []}
      startsFocused={startsFocused}
      onDone={(done) => {
        if ('payUntil' in done) setSentLink(done);
        else setSold(done);
        void client.invalidateQueries(queueQuery(sailingId));
      }}
      onClose={leave}
    />
  );
}

type Values = TypedPayment<'link' | 'invoice'> &
  LinkValues &
  InvoiceValues & { fare: string; plate: string; heldBack: string };

type SellFormProps = {
  entry: QueueEntry;
  title: string;
  quotes: readonly [Quote, ...Quote[]];
  heldBack: BoatDetails['heldBack'];
  startsFocused: boolean;
  onDone: (done: Sold | (SentPaymentLink & { email: string })) => void;
  onClose: () => void;
};

function SellForm({ entry, title, quotes, heldBack, startsFocused, onDone, onClose }: SellFormProps) {
  const [writes] = useState(createIdempotentWrites);
  const hasVehicle = entry.party.vehicle !== null;
  const findQuote = ({ fare }: Pick<Values, 'fare'>) =>
    quotes.find(({ fareClass }) => fareClass.code === fare) ?? quotes[0];
  const form = useForm({
    initial: (): Values => ({
      fare: quotes[0].fareClass.code,
      method: 'cash',
      typed: '',
      plate: entry.plate ?? '',
      heldBack: '',
      ...startLink(entry),
      ...startRecipient(),
    }),
    check: (values) => {
      if (values.method === 'link') return checkLink(values);
      if (values.method === 'invoice') return checkInvoice(values);
      return {
        ...(readTaken(values) === null && { typed: t('Enter it to go on.') }),
        ...(values.email.trim() !== '' && !isEmail(values.email.trim()) && { email: MESSAGES.email }),
      };
    },
    send: async (values) => {
      const email = values.email.trim();
      const params = { id: entry.id };
      const sale = {
        quoteId: findQuote(values).id,
        heldBack: values.heldBack === '' ? [] : [values.heldBack],
        ...(hasVehicle && values.plate.trim() !== '' ? { plate: values.plate } : {}),
      };
      if (values.method === 'link') {
        const body = { ...sale, ...readLink(values) };
        const sent = await writes.run(JSON.stringify(body), (idempotencyKey) =>
          request(sendPaymentLink, { params, body, idempotencyKey }),
        );
        return { ...sent, email };
      }
      const payment = readTaken(values);
      if (payment === null) throw new Error('The payment was not checked.');
      const body = { ...sale, payment, email: email || null };
      return writes.run(JSON.stringify(body), (idempotencyKey) =>
        request(sellToQueueEntry, { params, body, idempotencyKey }),
      );
    },
    onDone,
    byCode: {
      ...{ unknown_trip_card: 'typed', insufficient_balance: 'typed' },
      ...{ trip_card_frozen: 'typed', trip_card_lost: 'typed', plate_required: 'plate' },
    },
    busyReason: 'tickets being sold',
  });
  const { values, change } = form;
  const { units } = useSettings();
  const price = priceOf(findQuote(values));
  const isLink = values.method === 'link';
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={describeConfirm(values.method, price)}
      pendingText={t('One moment…')}
      problemTitle={t('Nothing is sold yet')}
      startsFocused={startsFocused}
      onClose={onClose}
    >
      <p className={styles.price}>{price}</p>
      {quotes.length > 1 && (
        <Select
          {...form.field('fare')}
          label={t('Fare')}
          options={quotes.map((quote) => ({
            value: quote.fareClass.code,
            label: t('{fare}, {price}', { fare: quote.fareClass.name, price: priceOf(quote) }),
          }))}
          value={values.fare}
          onChange={(event) => change({ fare: event.target.value })}
        />
      )}
      <PaymentFields
        payment={values}
        others={[
          { value: 'link', label: t('Payment link by email') },
          { value: 'invoice', label: t('Invoice, paid later') },
        ]}
        {...form.field('typed')}
        onChange={change}
      />
      {heldBack.length > 0 && (
        <Select
          {...form.input('heldBack')}
          label={t('From the places held back')}
          hint={t('What you sell is taken off them.')}
          options={[
            { value: '', label: t('None of these') },
            ...heldBack.map(({ id, reason, places }) => ({
              value: id,
              label: t('{reason}: {places} left', { reason, places: describeHeldBack(places, units) }),
            })),
          ]}
        />
      )}
      {hasVehicle && (
        <ReferenceField {...form.input('plate')} label={t('License plate')} autoComplete="off" isOptional />
      )}
      {isLink ? (
        <LinkFields form={form} />
      ) : values.method === 'invoice' ? (
        <InvoiceFields form={form} />
      ) : (
        <EmailField
          {...form.input('email')}
          label={t('Email')}
          hint={t('Without it, the tickets are only shown on this screen.')}
          autoComplete="off"
          isOptional
        />
      )}
    </FormDialog>
  );
}

/** How they pay without a link; null while something is missing. */
function readTaken({ method, typed, ...values }: Values) {
  if (method === 'invoice') return readInvoice(values);
  return method === 'link' ? null : readPayment({ method, typed });
}

function describeConfirm(method: Values['method'], price: string): string {
  if (method === 'link') return t('Hold the places and mail the link');
  return method === 'invoice' ? t('Sell on an invoice') : t('{price} taken: sell', { price });
}

function priceOf({ total, currency }: Quote): string {
  return formatMoney(total, currency, textLanguage());
}

type SoldTicketsProps = Pick<SellDialogProps, 'title' | 'onBoard'> & { sold: Sold; onClose: () => void };

/** The buyer takes the tickets along by scanning the code; without a phone the reference is enough. */
function SoldTickets({ sold: { reference, link, ticketIds }, title, onBoard, onClose }: SoldTicketsProps) {
  const [isAboard, setIsAboard] = useState(false);
  return (
    <Modal
      title={t('Sold: {who}', { who: title })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <Stack>
        <p>{t('Let them scan this code with their phone: it opens their tickets.')}</p>
        <QrCode payload={link} label={t('Code that opens the tickets')} />
        <p>
          {t('Without a phone, they say this reference at the gate:')}{' '}
          <strong translate="no">{reference}</strong>
        </p>
        <PrintTickets load={async () => (await request(getStaffOrder, { params: { reference } })).order} />
        {isAboard && <p role="status">{t('They are aboard.')}</p>}
        {onBoard && !isAboard && (
          <Button
            variant="secondary"
            size="large"
            block
            onClick={() => {
              onBoard(ticketIds);
              setIsAboard(true);
            }}
          >
            {t('Let them aboard')}
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
