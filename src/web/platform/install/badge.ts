import { readLocalDay } from '#domain/format/dates.ts';
import { createStore } from '../create-store.ts';
import { serverNow } from '../server-clock.ts';
import { onSessionCleared } from '../session/session.ts';

/** A crossing that the customer has tickets for. */
export type Crossing = { departsAt: string; arrivesAt: string; departsZone: string };

/** Browsers fire timers of more than 24 days at once. */
const LONGEST_WAIT = 24 * 60 * 60_000;

const badged = createStore<readonly Crossing[]>([]);
const nextUpdate = createStore<ReturnType<typeof setTimeout> | undefined>(undefined);

/** Shows the number of today's crossings that have not arrived on the installed app's icon. */
export function badgeTodaysCrossings(crossings: readonly Crossing[]): void {
  badged.set(crossings);
  // Adding the same listeners again has no effect.
  onSessionCleared(clearBadge);
  document.addEventListener('visibilitychange', updateBadge);
  updateBadge();
}

/** "Today" in the time zone of the port of departure. */
export function todaysCrossings(all: readonly Crossing[], now: number): Crossing[] {
  return all.filter(
    ({ departsAt, arrivesAt, departsZone }) =>
      Date.parse(arrivesAt) > now &&
      readLocalDay(Date.parse(departsAt), departsZone) === readLocalDay(now, departsZone),
  );
}

function clearBadge(): void {
  badged.set([]);
  updateBadge();
}

function updateBadge(): void {
  clearTimeout(nextUpdate.get());
  const now = serverNow();
  const crossings = badged.get();
  const today = todaysCrossings(crossings, now);
  const icon = navigator as Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>;
  const update = today.length > 0 ? icon.setAppBadge?.(today.length) : icon.clearAppBadge?.();
  // Rejected if badges are disabled.
  update?.catch(() => undefined);
  if (crossings.length === 0) return;
  const arrivals = today.map(({ arrivesAt }) => Date.parse(arrivesAt) - now);
  nextUpdate.set(setTimeout(updateBadge, Math.min(LONGEST_WAIT, ...arrivals)));
}
