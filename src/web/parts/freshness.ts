/** "Updated 8:12 AM", with the day when it was another; on this device's clock. `now` in milliseconds. */
export function formatFreshness(instants: readonly string[], now: number): string | null {
  const times = instants.map((instant) => Date.parse(instant)).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return null;
  const oldest = new Date(Math.min(...times));
  const isToday = oldest.toDateString() === new Date(now).toDateString();
  const day = isToday ? '' : `${oldest.toLocaleDateString('en-US', { month: 'short', day: 'numeric' })}, `;
  return `Updated ${day}${formatClockOnDevice(oldest)}`;
}

/** "8:12 AM" on this device's clock. */
export function formatClockOnDevice(instant: string | Date): string {
  return new Date(instant).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}
