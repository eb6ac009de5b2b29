import { COMMAND_LANGUAGE } from './text-locale.ts';
import { chooseDateLocale } from './typed-dates.ts';

/** The first day of the week; 0 is Sunday. Browsers that do not know it get Monday. */
export function getFirstWeekday(language: string): number {
  const locale = chooseDateLocale(language);
  if (locale === COMMAND_LANGUAGE) return 0;
  const info = new Intl.Locale(locale) as { getWeekInfo?: () => { firstDay: number } };
  return (info.getWeekInfo?.().firstDay ?? 1) % 7;
}
