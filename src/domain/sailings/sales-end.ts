/** Instants as dates or milliseconds since 1970. */
type Sales<Instant> = { salesCloseAt: Instant; checkInClosedAt: Instant | null };

/** When online sales of a sailing end: by the timetable, or when the gate closes check-in before. */
export function getSalesEnd<Instant extends { valueOf(): number }>({
  salesCloseAt,
  checkInClosedAt,
}: Sales<Instant>): Instant {
  return checkInClosedAt !== null && checkInClosedAt < salesCloseAt ? checkInClosedAt : salesCloseAt;
}
