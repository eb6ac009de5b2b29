import { dayIn } from '../day-in.ts';
import { onSessionCleared } from '../session/session.ts';

/** A crossing that somebody holds tickets for. */
export type Crossing = { departsAt: string; arrivesAt: string; departsZone: string };

/** Browsers' timers run out at once beyond 24 days; nothing of today is that far away. */
const LONGEST_WAIT = 24 * 60 * 60_000;

let crossings: readonly Crossing[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isTended = false;

/** Counts today's crossings on the installed app's icon, until each has arrived. */
export function badgeTodaysCrossings(next: readonly Crossing[]): void {
  crossings = next;
  if (!isTended) {
    isTended = true;
    onSessionCleared(() => badgeTodaysCrossings([]));
    document.addEventListener('visibilitychange', show);
  }
  show();
}

/** "Today" by the clock of the port it leaves from. */
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
  // Refused where badges are switched off.
  shown?.catch(() => undefined);
  if (crossings.length === 0) return;
  const arrivals = today.map(({ arrivesAt }) => Date.parse(arrivesAt) - now);
  timer = setTimeout(show, Math.min(LONGEST_WAIT, ...arrivals));
}
