import type { AskedByTraveler, TravelerAssistance } from '#domain/orders/assistance.ts';
import type { Order } from '#web/platform/api/types.ts';
import type { Traveler } from '../traveler-names/travelers.ts';

/** What travelers ask for, by `Traveler.key`. */
export type AskedAssistance = Readonly<Record<string, AskedByTraveler>>;

/** The travelers who ask for something. */
export function listAsked(travelers: readonly Traveler[], asked: AskedAssistance): TravelerAssistance[] {
  return travelers.flatMap(({ key, index }) => {
    const { needs = [], note = '' } = asked[key] ?? {};
    const hasAsked = needs.length > 0 || note.trim() !== '';
    return hasAsked ? [{ traveler: index + 1, needs, note: note.trim() }] : [];
  });
}

/** By `Traveler.key`. */
export function findAsked(
  travelers: readonly Traveler[],
  saved: readonly TravelerAssistance[],
): AskedAssistance {
  const entries = travelers.flatMap(({ key, index }) => {
    const asked = saved.find(({ traveler }) => traveler === index + 1);
    return asked ? [[key, { needs: asked.needs, note: asked.note }] as const] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * What the owner of an order asked for; null if an earlier release saved it, which kept only the text.
 * @param own in the tab that bought the order: what was asked there, which the API tells only to signed-in owners
 */
export function readAsked(
  { assistance }: Order,
  own: readonly TravelerAssistance[] = [],
): readonly TravelerAssistance[] | null {
  if (!assistance) return own;
  const travelers = assistance.travelers.flatMap(({ traveler, needs, note }) =>
    needs === undefined || note === undefined ? [] : [{ traveler, needs, note }],
  );
  return travelers.length === assistance.travelers.length ? travelers : null;
}
