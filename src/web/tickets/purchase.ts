import { createContext, useContext, useSyncExternalStore } from 'react';
import type { TravelerAssistance } from '#domain/orders/assistance.ts';
import type { Direction } from '#domain/orders/legs.ts';
import { message } from '#messages/translate.ts';
import type { AskedAssistance } from '#web/features/order/assistance/asked-assistance.ts';
import { t } from '#web/language/texts.ts';
import type { Contact, Hold, Quote } from '#web/platform/api/types.ts';
import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { createStore } from '#web/platform/create-store.ts';
import { createIdempotentWrites, type IdempotencyKeys } from '#web/platform/idempotency/idempotent-writes.ts';
import type { Journey } from '#web/platform/query/journey.ts';
import { onSessionCleared, ownerFingerprint } from '#web/platform/session/session.ts';
import type { Refusal } from './sailings/refusal.ts';
import type { TripSearch } from './trip/trip-search.ts';

/**
 * `clockOffset`: milliseconds by which the server's clock is ahead of this device's. `id`: null in a tab that knows only the
 * order's link.
 */
export type HeldPlaces = Pick<Hold, 'expiresAt' | 'canExtend'> & { id: string | null; clockOffset: number };

/** What a trip card pays of an order: all of it, or enough less to charge a payment card for the rest. */
/** What a trip card pays. `trips`: of a pass, which pay the amount. */
export type TripCardPart = { tripCardId: string; tripCardAmount: number; trips?: number } | null;

export type OrderedDetails = Contact & { assistance?: TravelerAssistance[] | undefined };

/** Everything chosen and typed in a purchase that is not finished, except card data. */
const EMPTY_DRAFT = {
  /** Null until the customer changes the trip form. */
  trip: null as TripSearch | null,
  /** The trip form was submitted, so the sailings may be shown. */
  hasSearched: false,
  /** A link chose the sailing, and the customer has not said who travels. */
  asksForParty: false,
  outward: null as Journey | null,
  back: null as Journey | null,
  fareClass: null as string | null,
  quote: null as Quote | null,
  hold: null as HeldPlaces | null,
  contact: { name: '', email: '', phone: '' } satisfies Contact,
  plate: '',
  /** A rental whose license plate is not known yet. */
  isRental: false,
  /** Names for the tickets, by `Traveler.key`. */
  travelerNames: {} as Readonly<Record<string, string>>,
  /** What the law asks of travelers, see `saveValues`. */
  travelerDetails: {} as Readonly<Record<string, string>>,
  /** By `Traveler.key`. */
  assistance: {} as AskedAssistance,
  /** Version of the accepted terms. */
  acceptedTerms: null as string | null,
  orderId: null as string | null,
  /** Permits this tab to change the order of a guest. */
  buyerSecret: null as string | null,
  /** What the order was saved with; `contact` and `assistance` may have been edited since. */
  orderContact: null as OrderedDetails | null,
  paymentId: null as string | null,
  tripCardPart: null as TripCardPart,
  /** A payment was sent and its outcome is not known yet. */
  isPaymentOpen: false,
  /** Why the customer was returned to the sailings. */
  notice: null as string | null,
  /** Why lost places could not be held again. */
  refusal: null as Refusal | null,
  /** The change of a paid order that is being paid, and what it changes. */
  change: null as { id: string; difference: number } | null,
  changedJourney: null as Direction | 'both' | null,
  /** Keys of writes whose outcome is unknown. */
  idempotencyKeys: {} as IdempotencyKeys,
};

export type Draft = typeof EMPTY_DRAFT;

type StoredDraft = { version: number; owner: string | null; at: number; draft: Draft };

const KEY = 'purchase';
const VERSION = 2;
/** Personal data that was stored longer ago is not restored. */
const PERSONAL_DATA_MS = 30 * 60_000;
const SIGNED_OUT = message(
  'You were signed out, so your hold and details were cleared. Your trip is still here. Tap Continue to try again.',
);

export type Purchase = ReturnType<typeof openPurchase>;

/** The purchase of this tab, or the change of an order, as its previous page stored it under the key. */
export function openPurchase(key = KEY) {
  const { get, set, subscribe } = createStore<Draft>(readDraft(key));
  const change = (fields: Partial<Draft>) => set((draft) => ({ ...draft, ...fields }));
  return {
    key,
    get,
    set,
    subscribe,
    change,
    clear: () => set(EMPTY_DRAFT),
    /** Their keys are part of the draft, so a write is repeated under the same key after a reload. */
    writes: createIdempotentWrites({
      get: () => get().idempotencyKeys,
      set: (idempotencyKeys) => change({ idempotencyKeys }),
    }),
  };
}

/**
 * Stores the purchase for the tab's next page, and clears it when the customer signs out.
 * @returns stops it
 */
export function storePurchase({ key, get, set, subscribe }: Purchase): () => void {
  const events = new AbortController();
  const options = { signal: events.signal };
  const write = () => writeDraft(key, get(), document.visibilityState === 'hidden');
  write();
  window.addEventListener('pagehide', () => writeDraft(key, get(), true), options);
  window.addEventListener('pageshow', write, options);
  document.addEventListener('visibilitychange', write, options);
  const stops = [subscribe(write), onSessionCleared(() => set(withoutOwner)), () => events.abort()];
  return () => {
    for (const stop of stops) stop();
  };
}

export const PurchaseContext = createContext<Purchase | null>(null);

export function usePurchase(): Purchase {
  const purchase = useContext(PurchaseContext);
  if (purchase === null) throw new Error('There is no purchase around this component.');
  return purchase;
}

/** The empty draft while prerendered markup is hydrated. */
export function useDraft(): Draft {
  return useDraftPart((draft) => draft);
}

/** Renders again only when this part changes. `select` returns a part of the draft or a primitive value. */
export function useDraftPart<Part>(select: (draft: Draft) => Part): Part {
  const { get, subscribe } = usePurchase();
  return useSyncExternalStore(
    subscribe,
    () => select(get()),
    () => select(EMPTY_DRAFT),
  );
}

/** Personal data is stored only while the page is hidden or being left, so a tab in use has none in its storage. */
function writeDraft(key: string, draft: Draft, hasPersonalData: boolean): void {
  const stored: StoredDraft = {
    version: VERSION,
    owner: ownerFingerprint(),
    at: Date.now(),
    draft: hasPersonalData ? draft : withoutPersonalData(draft),
  };
  if (draft === EMPTY_DRAFT) removeStored(key, 'sessionStorage');
  else writeStored(key, JSON.stringify(stored), 'sessionStorage');
}

function readDraft(key: string): Draft {
  const stored = readStoredJson(key, 'sessionStorage') as StoredDraft | null;
  if (stored?.version !== VERSION) return EMPTY_DRAFT;
  const draft = { ...EMPTY_DRAFT, ...stored.draft };
  if (stored.owner !== null && stored.owner !== ownerFingerprint()) return withoutOwner(draft);
  return Math.abs(Date.now() - stored.at) < PERSONAL_DATA_MS ? draft : withoutPersonalData(draft);
}

function withoutPersonalData(draft: Draft): Draft {
  const { contact, plate, travelerNames, travelerDetails, assistance } = EMPTY_DRAFT;
  return { ...draft, contact, orderContact: null, plate, travelerNames, travelerDetails, assistance };
}

/** Kept after a sign-out: the trip and the choices, which contain no personal data. */
function withoutOwner(draft: Draft): Draft {
  if (draft === EMPTY_DRAFT) return draft;
  const anonymous = { ...withoutPersonalData(draft), buyerSecret: null };
  // The outcome of a payment that was sent must still be found out, or the customer would pay twice.
  if (draft.isPaymentOpen) return anonymous;
  const { trip, hasSearched, outward, back, fareClass, hold, orderId } = draft;
  const notice = hold === null && orderId === null ? draft.notice : t(SIGNED_OUT);
  return { ...EMPTY_DRAFT, trip, hasSearched, outward, back, fareClass, notice };
}
