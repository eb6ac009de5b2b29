import { findOfferedLanguage, LANGUAGE_COOKIE, readChosenLanguage } from '#messages/languages.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { changeProfile, loadProfile, profileStore } from '#web/platform/account/profile.ts';
import { readCookie, removeCookie, writeCookie } from '#web/platform/session/cookies.ts';
import { ownerFingerprint } from '#web/platform/session/session.ts';
import { ask } from '#web/platform/worker/worker.ts';

const REMEMBERED_DAYS = 365;
/** Holds the owner of a choice that may not be saved in the account yet. */
const UNSAVED_COOKIE = 'unsaved-language';

/** Remembers a visitor's choice for later pages of all hosts. It is saved in the account with the next loaded profile. */
export function rememberChoice(language: string): Promise<void> {
  const owner = ownerFingerprint();
  if (owner !== null) writeCookie(UNSAVED_COOKIE, owner);
  return rememberLanguage(language);
}

/** Keeps the account and later pages in one language, whenever the profile loads or changes. */
export function followAccountLanguage(): void {
  const sync = () => void syncLanguage().catch(() => undefined);
  profileStore.subscribe(sync);
  sync();
}

/**
 * Loads the profile of a customer who has just signed in, and remembers the account's language.
 * @throws {ApiError} if the choice of this browser is not saved; it will be with the next loaded profile
 */
export async function loadAccountLanguage(): Promise<void> {
  await loadProfile();
  await syncLanguage();
}

/** Saves the customer's choice in the account, or remembers the account's language for later pages. */
async function syncLanguage(): Promise<void> {
  const { loaded, customer } = profileStore.get();
  if (!loaded) return;
  const chosen = findOfferedLanguage(readChosenLanguage(document.cookie) ?? '');
  const isUnsaved = readCookie(UNSAVED_COOKIE) === ownerFingerprint();
  if (chosen !== null && chosen !== customer.language && (isUnsaved || customer.language === null)) {
    await changeProfile({ language: chosen });
  } else if (customer.language !== null && customer.language !== chosen) {
    await rememberLanguage(customer.language);
  }
  if (isUnsaved) removeCookie(UNSAVED_COOKIE);
}

async function rememberLanguage(language: string): Promise<void> {
  writeCookie(LANGUAGE_COOKIE, language, REMEMBERED_DAYS);
  if (language !== pageLanguage()) await ask({ type: 'CHANGE_LANGUAGE' });
}
