import { mayReload, reloadPage } from '#web/platform/updates/reload.ts';
import { rememberChoice } from './account-language.ts';

/** Remembers the visitor's choice, and loads the page again in it. */
export async function changeLanguage(language: string): Promise<void> {
  // While a payment is pending the customer is told to wait.
  if (mayReload('by-hand')) await rememberChoice(language);
  reloadPage();
}
