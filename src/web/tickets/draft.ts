import type { Hold, Quote, Sailing } from '#web/platform/api/types.ts';
import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { createStore, useStore } from '#web/platform/create-store.ts';
import type { TripCardPart } from './pay/trip-card-part.ts';
import type { Trip } from './trip/trip.ts';

/** The kept places, with how far this device's clock is from the server's. */
export type HeldPlaces = Pick<Hold, 'id' | 'expiresAt' | 'canExtend'> & { clockOffset: number };

/** Everything of a purchase under way but card data, which never comes near this code. */
export type Draft = {
  /** Null until something was changed on the trip form. */
  trip: Trip | null;
  /** The trip form was finished once, so that the sailings may be shown. */
  hasSearched: boolean;
  outward: Sailing | null;
  back: Sailing | null;
  fareClass: string | null;
  quote: Quote | null;
  hold: HeldPlaces | null;
  contact: { name: string; email: string; phone: string };
  plate: string;
  /** Version of the terms that were accepted. */
  acceptedTerms: string | null;
  orderId: string | null;
  paymentId: string | null;
  /** What a trip card is to pay. */
  tripCardPart: TripCardPart;
  /** A payment was sent off and its outcome is not known yet. */
  isPaymentOpen: boolean;
  /** Why the customer is back among the sailings. */
  lapse: string | null;
  /** Idempotency keys of writes whose outcome is not known yet, by what they are for. */
  attempts: Readonly<Record<string, string>>;
};

const KEY = 'purchase';
const VERSION = 1;

export const EMPTY_DRAFT: Draft = {
  trip: null,
  hasSearched: false,
  outward: null,
  back: null,
  fareClass: null,
  quote: null,
  hold: null,
  contact: { name: '', email: '', phone: '' },
  plate: '',
  acceptedTerms: null,
  orderId: null,
  paymentId: null,
  tripCardPart: null,
  isPaymentOpen: false,
  lapse: null,
  attempts: {},
};

export const draftStore = createStore<Draft>(readDraft());

draftStore.subscribe(() => {
  const draft = draftStore.get();
  if (draft === EMPTY_DRAFT) removeStored(KEY, 'sessionStorage');
  else writeStored(KEY, JSON.stringify({ version: VERSION, draft }), 'sessionStorage');
});

/** Prerendered markup knows no draft, so taking it over starts without one. */
export function useDraft(): Draft {
  return useStore(draftStore, () => EMPTY_DRAFT);
}

export function changeDraft(change: Partial<Draft>): void {
  draftStore.set((draft) => ({ ...draft, ...change }));
}

export function clearDraft(): void {
  draftStore.set(EMPTY_DRAFT);
}

/** The places or the order are gone; what was chosen and typed stays. */
export function lapseDraft(lapse: string): void {
  changeDraft({
    hold: null,
    quote: null,
    orderId: null,
    paymentId: null,
    tripCardPart: null,
    isPaymentOpen: false,
    attempts: {},
    lapse,
  });
}

/** For a page that was loaded anew: what this tab kept is read again. */
export function restoreDraft(): void {
  draftStore.set(readDraft());
}

function readDraft(): Draft {
  const text = readStored(KEY, 'sessionStorage');
  if (text === null) return EMPTY_DRAFT;
  try {
    const stored: unknown = JSON.parse(text);
    return isStoredDraft(stored) ? { ...EMPTY_DRAFT, ...stored.draft } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

function isStoredDraft(value: unknown): value is { draft: Partial<Draft> } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === VERSION &&
    'draft' in value &&
    typeof value.draft === 'object'
  );
}
