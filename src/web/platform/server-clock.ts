import { readStored, writeStored } from './browser-storage.ts';

/** Milliseconds that the server's clock is ahead of the device's; kept for starts without a connection. */
const OFFSET_KEY = 'clock-offset';
/** A smaller difference from the known offset is the time that answers take. */
const TOLERANCE = 1000;
/** A `Date` header has no fraction of its second. */
const SECOND = 999;

/** Used where the storage is blocked. Not a store, because the script of the first paint has no React. */
const unstored = { offset: 0 };

/** The time on the server's clock in milliseconds, by which tickets, sailings and deadlines are judged. */
export function serverNow(): number {
  return Date.now() + readOffset();
}

/**
 * Learns the offset from the `Date` header of an answer to a request sent at `sentAt`, in milliseconds of the device:
 * the smallest one with which the header's time lies between question and answer.
 */
export function noteServerTime(header: string | null, sentAt: number): void {
  const earliest = Date.parse(header ?? '');
  if (Number.isNaN(earliest)) return;
  const ahead = Math.max(0, earliest - Date.now());
  const behind = Math.min(0, earliest + SECOND - sentAt);
  const offset = ahead + behind;
  if (Math.abs(offset - readOffset()) <= TOLERANCE) return;
  if (!writeStored(OFFSET_KEY, String(offset))) unstored.offset = offset;
}

function readOffset(): number {
  const offset = Number(readStored(OFFSET_KEY) ?? unstored.offset);
  return Number.isFinite(offset) ? offset : 0;
}
