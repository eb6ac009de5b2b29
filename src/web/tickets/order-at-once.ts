import { type Profile, useProfile } from '#web/platform/account/profile.ts';
import type { Contact } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying, hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import { changeDraft, type Draft, draftStore } from './draft.ts';
import { saveOrder, useProceed } from './save-order.ts';
import { partySize, type Trip } from './trip/trip.ts';

/**
 * Orders the held places of a customer who travels alone, without a vehicle, and whose details are known, and goes on
 * to the payment.
 * @returns false if the details step has to ask for something, or the order failed: that step tells why
 */
export function useOrderAtOnce(trip: Trip): () => Promise<boolean> {
  const { terms } = useSettings();
  const profile = useProfile();
  const proceed = useProceed();
  return async () => {
    const draft = draftStore.get();
    const contact = contactOf(draft, profile);
    const isAloneOnFoot = partySize(trip) === 1 && trip.vehicle === '';
    const hasAccepted = acceptsTermsByPaying(terms) || hasAcceptedTerms(terms, draft.acceptedTerms);
    const isKnown = profile.loaded && contact.name !== '' && contact.email !== '';
    if (!isAloneOnFoot || !hasAccepted || !isKnown || draft.quote?.total === 0) return false;
    changeDraft({ contact });
    const order = await saveOrder(draftStore.get()).catch(() => null);
    if (order !== null) proceed(order, contact);
    return order !== null;
  };
}

/** The customer's own details; what was typed by hand stays. */
export function contactOf({ contact }: Pick<Draft, 'contact'>, { customer, loaded }: Profile): Contact {
  if (!loaded || contact.name !== '' || contact.email !== '' || contact.phone !== '') return contact;
  const { name, email, phone } = customer;
  return { name, email, phone };
}
