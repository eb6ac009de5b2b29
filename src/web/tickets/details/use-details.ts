import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { textLocale } from '#domain/text-locale.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { changeOrder, createOrder } from '#web/platform/api/ticket-office.ts';
import type { Catalogue, Contact, Order, Quote } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { loadSettings, useSettings } from '#web/platform/settings/settings.ts';
import { hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import type { IsoDate } from '#web/ui/calendar.ts';
import type { FieldError } from '#web/ui/error-summary.tsx';
import { runAttempt } from '../attempts.ts';
import { changeDraft, type Draft, draftStore, lapseDraft, useDraft } from '../draft.ts';
import { useFinish } from '../finish.ts';
import { chosenIds, LAPSED } from '../hold.ts';
import type { PriceChangeProps } from '../price-change.tsx';
import { offerQuery } from '../sailings/queries.ts';
import { readRefusal } from '../sailings/refusal.ts';
import { useGoToStep } from '../steps.ts';
import { isHoldLost, takePlacesAgain } from '../take-places-again.ts';
import { currentTrip, findVehicleType, quoteRequestOf } from '../trip/trip.ts';
import { findDetailsProblems, findServerProblems } from './details-form.ts';

/** The places or the order are gone, and only choosing again helps. */
const LOST = ['hold_expired', 'order_closed', 'not_found'] as const;

/** What the form of the details does: it checks what was typed, writes the order, and takes lost places again. */
export function useDetails(catalogue: Catalogue, today: IsoDate) {
  const draft = useDraft();
  const { terms, units, language } = useSettings();
  const goToStep = useGoToStep();
  const finish = useFinish();
  const client = useQueryClient();
  const [attempted, setAttempted] = useState<FieldError[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [changed, setChanged] = useState<PriceChangeProps | null>(null);
  const [isPending, setIsPending] = useState(false);

  const own = findDetailsProblems({
    contact: draft.contact,
    plate: draft.plate,
    needsPlate: needsPlate(catalogue, draft),
    hasAccepted: hasAcceptedTerms(terms, draft.acceptedTerms),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setHasTried(true);
    setFailure(null);
    setAttempted(own);
    if (own.length === 0 && !isPending) void send();
  }

  async function send() {
    setIsPending(true);
    const { contact } = draftStore.get();
    try {
      const order = await saveOrder(draftStore.get(), terms.version, textLocale(language)).catch(saveAgain);
      if (order !== null) proceed(order, contact);
    } catch (error) {
      refuse(error);
    } finally {
      setIsPending(false);
    }
  }

  /** @returns null when the customer has to see a new price first */
  async function saveAgain(error: unknown): Promise<Order | null> {
    if (draftStore.get().orderId !== null || !isHoldLost(error)) throw error;
    const isSamePrice = await takeLostPlaces();
    return isSamePrice ? saveOrder(draftStore.get(), terms.version, textLocale(language)) : null;
  }

  async function takeLostPlaces(): Promise<boolean> {
    const { quote } = draftStore.get();
    if (quote === null) throw new Error('Places were taken without a price.');
    const taken = await takePlacesAgain(quote, askOffer);
    const isSamePrice = taken.total === quote.total && taken.currency === quote.currency;
    setChanged(isSamePrice ? null : { was: quote.total, quote: taken });
    return isSamePrice;
  }

  async function askOffer(): Promise<Quote> {
    const trip = currentTrip(draftStore.get().trip, catalogue, today);
    const request = quoteRequestOf(catalogue, trip, units, {
      sailingIds: chosenIds(draft),
      fareClass: draft.fareClass ?? '',
      promoCode: trip.promoCode,
    });
    return (await client.fetchQuery({ ...offerQuery(request), staleTime: 0 })).quote;
  }

  function proceed(order: Order, orderContact: Contact) {
    client.setQueryData(orderQuery(order.id).queryKey, order);
    changeDraft({ orderId: order.id, orderContact });
    if (order.status === 'confirmed' || order.total === 0) finish(order.id);
    else goToStep('pay');
  }

  function refuse(error: unknown) {
    const refusal = readRefusal(error);
    if (refusal.kind === 'sold_out' || refusal.kind === 'sailing_gone') {
      lapseDraft(null, refusal);
      void client.invalidateQueries({ queryKey: ['sailings'] });
      return goToStep('sailings', { replace: true });
    }
    if (refusal.kind === 'price_changed' || LOST.some((code) => hasErrorCode(error, code))) {
      lapseDraft(
        refusal.kind === 'price_changed' || hasErrorCode(error, 'order_closed') ? errorText(error) : LAPSED,
      );
      void client.invalidateQueries({ queryKey: ['offer'] });
      return goToStep('sailings', { replace: true });
    }
    if (hasErrorCode(error, 'terms_outdated')) {
      changeDraft({ acceptedTerms: null });
      void loadSettings();
    }
    const problems = findServerProblems(error);
    if (problems === null) setFailure(errorText(error));
    else setAttempted(problems);
  }

  // Once something was found wrong, each field tells at once when it is mended.
  const problems = hasTried ? [...own, ...attempted.filter(isServers(own))] : [];
  return {
    problems,
    attempted,
    failure,
    /** The new price of places that were taken again; the next submission accepts it. */
    changed,
    isPending,
    submit,
    takeAgain: () => void takeLostPlaces().catch(refuse),
  };
}

function isServers(own: readonly FieldError[]) {
  return ({ fieldId, message }: FieldError) =>
    message !== '' && !own.some((problem) => problem.fieldId === fieldId);
}

function saveOrder(draft: Draft, termsVersion: string, locale: string): Promise<Order> {
  const { hold, quote, orderId, contact } = draft;
  const plate = draft.plate.trim() || null;
  if (orderId !== null) return changeOrder(orderId, { contact, ...(plate === null ? {} : { plate }) });
  if (hold === null || quote === null) throw new Error('The details were sent without places.');
  return runAttempt(`order:${hold.id}`, (key) =>
    createOrder({ holdId: hold.id, quoteId: quote.id, contact, plate, termsVersion, locale }, key),
  );
}

export function needsPlate(catalogue: Catalogue, { trip }: Draft): boolean | null {
  const type = trip === null ? null : findVehicleType(catalogue, trip);
  return type === null ? null : type.plateRequired;
}
