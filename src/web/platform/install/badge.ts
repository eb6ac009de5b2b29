import { dayIn } from '../day-in.ts';
import { onSessionCleared } from '../session/session.ts';

/** A crossing that the customer has tickets for. */
export type Crossing = { departsAt: string; arrivesAt: string; departsZone: string };

/** Browsers fire timers of more than 24 days at once. */
const LONGEST_WAIT = 24 * 60 * 60_000;

let crossings: readonly Crossing[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isTended = false;

/** Shows the number of today's crossings that have not arrived on the installed app's icon. */
export function badgeTodaysCrossings(next: readonly Crossing[]): void {
  crossings = next;
  if (!isTended) {
    isTended = true;
    onSessionCleared(() => badgeTodaysCrossings([]));
    document.addEventListener('visibilitychange', show);
  }
  show();
}

/** "Today" in the time zone of the port of departure. */
export function todaysCrossings(all: readonly Crossing[], now: number): Crossing[] {
  return all.filter(
    ({ departsAt, arrivesAt, departsZone }) =>
      Date.parse(arrivesAt) > now && dayIn(departsZone, Date.parse(departsAt)) === dayIn(departsZone, now),
  );
}

function show(): void {
  clearTimeout(timer);
  const now = Date.now();
  const today = todaysCrossings(crossings, now);
  const badge = navigator as Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>;
  const shown = today.length > 0 ? badge.setAppBadge?.(today.length) : badge.clearAppBadge?.();
  // Rejected if badges are disabled.
  shown?.catch(() => undefined);
  if (crossings.length === 0) return;
  const arrivals = today.map(({ arrivesAt }) => Date.parse(arrivesAt) - now);
  timer = setTimeout(show, Math.min(LONGEST_WAIT, ...arrivals));
}
