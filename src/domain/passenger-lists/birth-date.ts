/** No one is older. */
const LONGEST_LIFE_YEARS = 130;

/** Whether a living person can be born on a day. Both days are valid, as `YYYY-MM-DD`. */
export function isBirthDate(day: string, today: string): boolean {
  const earliest = `${Number(today.slice(0, 4)) - LONGEST_LIFE_YEARS}${today.slice(4)}`;
  return earliest <= day && day <= today;
}
