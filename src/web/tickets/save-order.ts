import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { changeOrder, createOrder } from '#contract/orders/endpoints.ts';
import type { TravelerAssistance } from '#domain/orders/assistance.ts';
import { listAsked } from '#web/features/order/assistance/asked-assistance.ts';
import { buyerProof } from '#web/features/order/buyer-proof.ts';
import { labelTravelers } from '#web/features/order/traveler-names/travelers.ts';
import { type Profile, useProfile } from '#web/platform/account/profile.ts';
import { reportCompletedOrder } from '#web/platform/analytics/outside-scripts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Contact, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';
import { currentSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying, hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import { type Draft, type Purchase, usePurchase } from './purchase.ts';
import { confirmationPath, useGoToStep } from './steps.ts';
import { partySize, type TripSearch } from './trip/trip-search.ts';

/** Orders the held places with the details as typed or, if there is an order, changes its details. */
export async function saveOrder({ get, change, writes }: Purchase, orderId = get().orderId): Promise<Order> {
  const { hold, quote, contact, buyerSecret, ...draft } = get();
  const plate = draft.plate.trim() || null;
  const travelerNames = findTravelerNames(get());
  const assistance = findAssistance(get());
  const aboutTravelers = {
    ...(travelerNames === undefined ? {} : { travelerNames }),
    ...(assistance === undefined ? {} : { assistance }),
  };
  if (orderId !== null) {
    return request(changeOrder, {
      params: { id: orderId },
      body: { contact, ...(plate === null ? {} : { plate }), ...aboutTravelers, ...buyerProof(buyerSecret) },
    });
  }
  if (hold === null || hold.id === null || quote === null) {
    throw new Error('There are no held places to order.');
  }
  const holdId = hold.id;
  const order = async () => {
    const { terms } = currentSettings();
    const details = { contact, plate, ...aboutTravelers, termsVersion: terms.version };
    const { buyerSecret: secret = null, ...created } = await writes.run(`order:${holdId}`, (idempotencyKey) =>
      request(createOrder, { body: { holdId, quoteId: quote.id, ...details }, idempotencyKey }),
    );
    // Apart from the order, which is saved on the device.
    change({ buyerSecret: secret });
    return created;
  };
  return order().catch(async (error: unknown) => {
    const isOutdated = hasErrorCode(error, 'terms_outdated');
    if (!isOutdated || !acceptsTermsByPaying(currentSettings().terms)) throw error;
    // The pay button accepts them, and it has not been pressed yet.
    await loadSettings();
    return order();
  });
}

/** Goes on with a saved order: to its payment, or to its tickets if it costs nothing. */
export function useProceed({ replace = false } = {}): (order: Order, contact: Contact) => void {
  const { get, change } = usePurchase();
  const client = useQueryClient();
  const finish = useFinish();
  const goToStep = useGoToStep();
  return (order, contact) => {
    client.setQueryData(orderQuery(order.id).queryKey, order);
    const isOther = get().orderId !== order.id;
    change({
      orderId: order.id,
      orderContact: { ...contact, assistance: findAssistance(get()) },
      ...(isOther && { paymentId: null, idempotencyKeys: {} }),
    });
    if (order.status === 'confirmed' || order.total === 0) finish(order.id);
    else goToStep('pay', { replace });
  };
}

/** Shows the confirmation, which replaces this history entry, so that "back" cannot pay again. */
export function useFinish(): (orderId: string) => void {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useCallback(
    (orderId) => {
      const { queryKey } = orderQuery(orderId);
      const order = client.getQueryData(queryKey);
      // Not on the confirmation: analytics must not see an address that opens the order.
      if (order?.status === 'confirmed') reportCompletedOrder(order);
      void client.invalidateQueries({ queryKey });
      void navigate(confirmationPath(orderId), { replace: true });
    },
    [navigate, client],
  );
}

/**
 * Orders the held places of a customer who travels alone, without a vehicle, and whose details are known, and goes on
 * to the payment.
 * @returns false if the details step has something to ask, or to say about an order that failed
 */
export function useOrderAtOnce(trip: TripSearch): () => Promise<boolean> {
  const purchase = usePurchase();
  const profile = useProfile();
  const proceed = useProceed();
  return async () => {
    const { terms } = currentSettings();
    const { acceptedTerms, quote, ...draft } = purchase.get();
    const contact = prefillContact(draft.contact, profile);
    const isAloneOnFoot = partySize(trip) === 1 && trip.vehicle === '';
    const hasAccepted = acceptsTermsByPaying(terms) || hasAcceptedTerms(terms, acceptedTerms);
    const hasContact = profile.loaded && contact.name !== '' && contact.email !== '';
    const asksForMore = quote?.total === 0 || quote?.needsPassengerList === true;
    if (!isAloneOnFoot || !hasAccepted || !hasContact || asksForMore) return false;
    purchase.change({ contact });
    const order = await saveOrder(purchase).catch(() => null);
    if (order !== null) proceed(order, contact);
    return order !== null;
  };
}

/** The customer's own details, unless something was typed. */
export function prefillContact(contact: Draft['contact'], { customer, loaded }: Profile): Contact {
  if (!loaded || contact.name !== '' || contact.email !== '' || contact.phone !== '') return contact;
  const { name, email, phone } = customer;
  return { name, email, phone };
}

/** In the order of the fare lines; undefined if none was ever typed. */
export function findTravelerNames({ quote, travelerNames }: Draft): string[] | undefined {
  if (Object.keys(travelerNames).length === 0) return undefined;
  return labelTravelers(quote?.lines ?? []).map(({ key }) => travelerNames[key] ?? '');
}

/** The travelers who need assistance; undefined if none was ever asked for. */
function findAssistance({ quote, assistance }: Draft): TravelerAssistance[] | undefined {
  if (Object.keys(assistance).length === 0) return undefined;
  return listAsked(labelTravelers(quote?.lines ?? []), assistance);
}
