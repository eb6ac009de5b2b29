import { useSyncExternalStore } from 'react';
import type { Contact, Hold, Quote, Sailing } from '#web/platform/api/types.ts';
import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { createStore, useStore } from '#web/platform/create-store.ts';
import type { IdempotencyKeys } from '#web/platform/idempotency/idempotent-writes.ts';
import { ownerFingerprint } from '#web/platform/session/owner-fingerprint.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';
import type { TripCardPart } from './pay/trip-card-part.ts';
import type { Refusal } from './sailings/refusal.ts';
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
  contact: Contact;
  plate: string;
  /** Names for the tickets, by `Traveler.key`. */
  travelerNames: Readonly<Record<string, string>>;
  /** Version of the terms that were accepted. */
  acceptedTerms: string | null;
  orderId: string | null;
  /** What the order was saved with; `contact` may have been edited since. */
  orderContact: Contact | null;
  paymentId: string | null;
  /** What a trip card is to pay. */
  tripCardPart: TripCardPart;
  /** A payment was sent off and its outcome is not known yet. */
  isPaymentOpen: boolean;
  /** Why the customer is back among the sailings. */
  lapse: string | null;
  /** Why places that were lost could not be taken again. */
  refusal: Refusal | null;
  /** Keys of writes whose outcome is unknown. */
  idempotencyKeys: IdempotencyKeys;
};

type Kept = { version: number; owner: string | null; at: number; draft: Draft };

const KEY = 'purchase';
const VERSION = 2;
/** Milliseconds after which a tab that is opened again no longer knows who was buying. */
const PERSON_KEPT_FOR = 30 * 60_000;
const SIGNED_OUT =
  'You were signed out, so your hold and details were cleared. Your trip is still here. Tap Continue to try again.';

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
  travelerNames: {},
  acceptedTerms: null,
  orderId: null,
  orderContact: null,
  paymentId: null,
  tripCardPart: null,
  isPaymentOpen: false,
  lapse: null,
  refusal: null,
  idempotencyKeys: {},
};

export const draftStore = createStore<Draft>(readDraft());

writeDraft();
draftStore.subscribe(() => writeDraft());
onSessionCleared(() => draftStore.set(ofNobody));
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => writeDraft({ isGoing: true }));
  window.addEventListener('pageshow', () => writeDraft());
  document.addEventListener('visibilitychange', () => writeDraft());
}

/** Prerendered markup knows no draft, so taking it over starts without one. */
export function useDraft(): Draft {
  return useStore(draftStore, () => EMPTY_DRAFT);
}

/** Drawn again only when that part is another one. `select` hands out what is in the draft, or a plain value. */
export function useDraftPart<Part>(select: (draft: Draft) => Part): Part {
  return useSyncExternalStore(
    draftStore.subscribe,
    () => select(draftStore.get()),
    () => select(EMPTY_DRAFT),
  );
}

export function changeDraft(change: Partial<Draft>): void {
  draftStore.set((draft) => ({ ...draft, ...change }));
}

export function clearDraft(): void {
  draftStore.set(EMPTY_DRAFT);
}

/** The places or the order are gone; what was chosen and typed stays. The sailings say why. */
export function lapseDraft(lapse: string | null, refusal: Refusal | null = null): void {
  changeDraft({
    hold: null,
    quote: null,
    orderId: null,
    orderContact: null,
    paymentId: null,
    tripCardPart: null,
    isPaymentOpen: false,
    idempotencyKeys: {},
    lapse,
    refusal,
  });
}

/** For a page that was loaded anew: what this tab kept is read again. */
export function restoreDraft(): void {
  draftStore.set(readDraft());
}

/**
 * Who is buying is written down only for a page that goes or may be thrown away unseen, and taken out again as soon as
 * one is looked at: nobody finds a name or an address in the storage of a tab in use.
 */
function writeDraft({ isGoing = false } = {}): void {
  if (typeof document === 'undefined') return;
  const draft = draftStore.get();
  const kept: Kept = {
    version: VERSION,
    owner: ownerFingerprint(),
    at: Date.now(),
    draft: isGoing || document.visibilityState === 'hidden' ? draft : withoutPerson(draft),
  };
  if (draft === EMPTY_DRAFT) removeStored(KEY, 'sessionStorage');
  else writeStored(KEY, JSON.stringify(kept), 'sessionStorage');
}

function readDraft(): Draft {
  const text = readStored(KEY, 'sessionStorage');
  if (text === null) return EMPTY_DRAFT;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isKept(kept)) return EMPTY_DRAFT;
    const draft = { ...EMPTY_DRAFT, ...kept.draft };
    if (kept.owner !== null && kept.owner !== ownerFingerprint()) return ofNobody(draft);
    return Math.abs(Date.now() - kept.at) < PERSON_KEPT_FOR ? draft : withoutPerson(draft);
  } catch {
    return EMPTY_DRAFT;
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { version, owner, at, draft } = value as Partial<Kept>;
  return (
    version === VERSION &&
    (owner === null || typeof owner === 'string') &&
    typeof at === 'number' &&
    typeof draft === 'object'
  );
}

function withoutPerson(draft: Draft): Draft {
  const { contact, plate, travelerNames } = EMPTY_DRAFT;
  return { ...draft, contact, orderContact: null, plate, travelerNames };
}

/** Whoever was buying has signed out on this device: what was chosen tells nothing of them, all else does. */
function ofNobody(draft: Draft): Draft {
  if (draft === EMPTY_DRAFT) return draft;
  const left = withoutPerson(draft);
  // Money may be on its way: what finds out its end stays, or it would be paid twice.
  if (draft.isPaymentOpen) return left;
  const { trip, hasSearched, outward, back, fareClass, hold, orderId } = left;
  const lapse = hold === null && orderId === null ? left.lapse : SIGNED_OUT;
  return { ...EMPTY_DRAFT, trip, hasSearched, outward, back, fareClass, lapse };
}
