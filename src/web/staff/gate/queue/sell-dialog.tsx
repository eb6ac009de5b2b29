import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdForPier, sellToQueueEntry, sendPaymentLink } from '#contract/gate/sales/endpoints.ts';
import { formatMoney } from '#domain/format/money.ts';
import { startRecipient } from '#web/features/order/receipts/recipient-fields.tsx';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { LoadProblem, QueryFallback } from '#web/features/site/load-problem.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { BoatDetails, QueueEntry, Quote, Sold } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { refreshBoats } from '#web/staff/boats/boat-queries.ts';
import { describeHeldBack } from '#web/staff/boats/places.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { EmailField, ReferenceField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { PaymentFields, readPayment, type TypedPayment } from '../payment-fields.tsx';
import {
  checkLink,
  checkPier,
  type HoldValues,
  LinkFields,
  PierFields,
  readLink,
  readPier,
  startHold,
} from './hold-fields.tsx';
import { checkInvoice, InvoiceFields, type InvoiceValues, readInvoice } from './invoice-fields.tsx';
import { queueQuery } from './queue.ts';
import styles from './queue-view.module.css';
import { quotesQuery, ReturnFields } from './return-fields.tsx';
import { HeldPlaces, type HeldSale, SoldTickets } from './sale-results.tsx';

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
  const [held, setHeld] = useState<HeldSale | null>(null);
  const prices = useQuery(quotesQuery(entry.id, ''));
  if (sold) return <SoldTickets sold={sold} title={title} onBoard={onBoard} onClose={() => onClose(true)} />;
  if (held) return <HeldPlaces held={held} onClose={() => onClose(true)} />;
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
        if ('payUntil' in done) setHeld(done);
        else setSold(done);
        void client.invalidateQueries(queueQuery(sailingId));
        void refreshBoats(client);
      }}
      onClose={leave}
    />
  );
}

type Values = TypedPayment<'link' | 'pier' | 'invoice'> &
  HoldValues &
  InvoiceValues & {
    fare: string;
    plate: string;
    isReturn: boolean;
    /** The sailing of the return; empty: one way, or none chosen yet. */
    back: string;
    heldBack: string;
    heldBackReturn: string;
  };

type SellFormProps = {
  entry: QueueEntry;
  title: string;
  quotes: readonly [Quote, ...Quote[]];
  heldBack: BoatDetails['heldBack'];
  startsFocused: boolean;
  onDone: (done: Sold | HeldSale) => void;
  onClose: () => void;
};

function SellForm({ entry, title, quotes, heldBack, startsFocused, onDone, onClose }: SellFormProps) {
  const { form, withReturn, offered, quote } = useSale({ entry, quotes, onDone });
  const { values, change } = form;
  const price = quote && priceOf(quote);
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={price === null ? t('Sell tickets') : describeConfirm(values.method, price)}
      problemTitle={t('Nothing is sold yet')}
      startsFocused={startsFocused}
      onClose={onClose}
    >
      <p className={styles.price}>{price ?? (withReturn.isError ? '–' : t('One moment…'))}</p>
      <FareField {...form.input('fare')} quotes={offered} />
      <PaymentFields
        payment={values}
        others={[
          { value: 'pier', label: t('Paid at the pier') },
          { value: 'link', label: t('Payment link by email') },
          { value: 'invoice', label: t('Invoice, paid later') },
        ]}
        {...form.field('typed')}
        onChange={change}
      />
      <HeldBackField {...form.input('heldBack')} label={t('From the places held back')} heldBack={heldBack} />
      <ReturnFields
        entryId={entry.id}
        isOpen={values.isReturn}
        onToggle={() => change({ isReturn: !values.isReturn, back: '', heldBackReturn: '' })}
        {...form.field('back')}
        value={values.back}
        onChange={(back) => change({ back, heldBackReturn: '' })}
      />
      {withReturn.isError && (
        <LoadProblem title={t('The return cannot be sold like this')} query={withReturn} />
      )}
      <HeldBackField
        {...form.input('heldBackReturn')}
        label={t('Return: from the places held back')}
        heldBack={values.back === '' ? [] : (withReturn.data?.heldBackReturn ?? [])}
      />
      {entry.party.vehicle !== null && (
        <ReferenceField {...form.input('plate')} label={t('License plate')} autoComplete="off" isOptional />
      )}
      {values.method === 'link' ? (
        <LinkFields form={form} />
      ) : values.method === 'pier' ? (
        <PierFields form={form} />
      ) : values.method === 'invoice' ? (
        <InvoiceFields form={form} emailHint={t('The invoice and the tickets go there.')} />
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

/** The form of a sale with the fares it offers. `quote`: of the chosen fare; null until the return has a price. */
function useSale({ entry, quotes, onDone }: Pick<SellFormProps, 'entry' | 'quotes' | 'onDone'>) {
  const requestOnce = useRequestOnce();
  const form = useForm({
    initial: (): Values => ({
      fare: quotes[0].fareClass.code,
      method: 'cash',
      typed: '',
      plate: entry.plate ?? '',
      ...{ isReturn: false, back: '', heldBack: '', heldBackReturn: '' },
      ...startHold(entry),
      ...startRecipient(),
    }),
    check: (values) => {
      if (values.isReturn && values.back === '') {
        return { back: t('Choose the boat back, or sell without the return.') };
      }
      if (quote === null) return { form: t('The price with the return is not known yet.') };
      if (values.method === 'link') return checkLink(values);
      if (values.method === 'pier') return checkPier(values);
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
        quoteId: quote?.id ?? '',
        heldBack: [values.heldBack, values.heldBackReturn].filter((id) => id !== ''),
        ...(entry.party.vehicle !== null && values.plate.trim() !== '' ? { plate: values.plate } : {}),
      };
      if (values.method === 'link') {
        const body = { ...sale, ...readLink(values) };
        const sent = await requestOnce(sendPaymentLink, { params, body });
        return { ...sent, by: 'link' as const, email };
      }
      if (values.method === 'pier') {
        const body = { ...sale, ...readPier(values) };
        const held = await requestOnce(holdForPier, { params, body });
        return { ...held, by: 'pier' as const, email };
      }
      const payment = readTaken(values);
      if (payment === null) throw new Error('The payment was not checked.');
      const body = { ...sale, payment, email: email || null };
      return requestOnce(sellToQueueEntry, { params, body });
    },
    onDone,
    byCode: {
      ...{ unknown_trip_card: 'typed', insufficient_balance: 'typed' },
      ...{ trip_card_frozen: 'typed', trip_card_lost: 'typed', plate_required: 'plate' },
    },
    busyReason: 'tickets being sold',
  });
  const { fare, back } = form.values;
  const withReturn = useQuery({ ...quotesQuery(entry.id, back), enabled: back !== '' });
  const offered = back === '' ? quotes : (withReturn.data?.quotes ?? []);
  const quote: Quote | null = offered.find(({ fareClass }) => fareClass.code === fare) ?? offered[0] ?? null;
  return { form, withReturn, offered, quote };
}

type SelectFieldProps = ReturnType<ReturnType<typeof useForm<Values>>['input']>;

/** Nothing if there is no choice. */
function FareField({ quotes, ...field }: SelectFieldProps & { quotes: readonly Quote[] }) {
  if (quotes.length < 2) return null;
  return (
    <Select
      {...field}
      label={t('Fare')}
      options={quotes.map((quote) => ({
        value: quote.fareClass.code,
        label: t('{fare}, {price}', { fare: quote.fareClass.name, price: priceOf(quote) }),
      }))}
    />
  );
}

/** For whom the places are kept that are sold; nothing if none are. */
function HeldBackField({
  heldBack,
  ...field
}: SelectFieldProps & { label: string; heldBack: BoatDetails['heldBack'] }) {
  const { units } = useSettings();
  if (heldBack.length === 0) return null;
  return (
    <Select
      {...field}
      hint={t('What you sell is taken off them.')}
      options={[
        { value: '', label: t('None of these') },
        ...heldBack.map(({ id, reason, places }) => ({
          value: id,
          label: t('{reason}: {places} left', { reason, places: describeHeldBack(places, units) }),
        })),
      ]}
    />
  );
}

/** How they pay now or on an invoice; null while something is missing. */
function readTaken({ method, typed, ...values }: Values) {
  if (method === 'invoice') return readInvoice(values);
  return method === 'link' || method === 'pier' ? null : readPayment({ method, typed });
}

function describeConfirm(method: Values['method'], price: string): string {
  if (method === 'link') return t('Hold the places and mail the link');
  if (method === 'pier') return t('Hold the places');
  return method === 'invoice' ? t('Sell on an invoice') : t('{price} taken: sell', { price });
}

function priceOf({ total, currency }: Quote): string {
  return formatMoney(total, currency, textLanguage());
}
