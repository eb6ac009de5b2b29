import { isSameDay } from '#web/features/site/reader-time.ts';
import { readStoredJson, writeStored } from '#web/platform/browser-storage.ts';

/** A fare that this device took without a connection. `amount` in the card's unit, `at` in milliseconds since 1970. */
type OfflineFare = { event: string; card: string; amount: number; at: number };

const KEY = 'gate-offline-fares';

/** What the device took of a card today without a connection, also before it was reloaded. Contains only ids. */
export function listOfflineFares(card: string, now: number): OfflineFare[] {
  return readToday(now).filter((fare) => fare.card === card);
}

export function addOfflineFare(fare: OfflineFare): void {
  writeStored(KEY, JSON.stringify([...readToday(fare.at), fare]));
}

/** After the fare was undone. */
export function removeOfflineFare(event: string, now: number): void {
  writeStored(KEY, JSON.stringify(readToday(now).filter((fare) => fare.event !== event)));
}

function readToday(now: number): OfflineFare[] {
  const stored = readStoredJson(KEY);
  const isToday = ({ at }: OfflineFare) => isSameDay(at, now);
  return Array.isArray(stored) ? (stored as OfflineFare[]).filter(isToday) : [];
}
