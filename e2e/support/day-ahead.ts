/** The operator's day, counted from today. */
export function dayAhead(days: number): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(Date.now());
  // Counted in UTC: the operator's days of the clock changes do not have 24 hours.
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
}
