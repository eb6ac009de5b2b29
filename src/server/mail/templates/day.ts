import { formatDate } from '#server/documents/travel-text.ts';

/** A calendar day, `YYYY-MM-DD`, in words. */
export function formatDay(day: string, language: string): string {
  return formatDate(new Date(`${day}T12:00:00Z`), 'UTC', language);
}
