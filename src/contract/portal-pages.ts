import { NOT_FOUND_PAGE, type PageTable } from './page.ts';
import { portalPages } from './paths.ts';

const USE_SECURITY_PAGE = 'Use the Password & Security page to reset your password when already signed in';
const savedOnDevice = { guard: 'signed-in', isReadableOffline: true, allowsOutsideScripts: true } as const;

/** The pages of the account portal. */
export const portalPageTable: PageTable<'portal'> = {
  [portalPages.home]: { title: null, guard: 'signed-in', allowsOutsideScripts: true },
  [portalPages.orders]: { ...savedOnDevice, title: 'My Orders', hasSnapshot: true },
  [portalPages.tripCards]: { ...savedOnDevice, title: 'Trip Cards', hasSnapshot: true },
  [portalPages.tripCardBalance]: { ...savedOnDevice, title: 'Trip Card Balance', hasSnapshot: true },
  [portalPages.tripCardTopUps]: { ...savedOnDevice, title: 'Trip Card Top-ups' },
  [portalPages.passes]: { title: 'Buy a pass', guard: 'signed-in' },
  [portalPages.paymentMethods]: { title: 'Payment Methods', guard: 'signed-in' },
  [portalPages.account]: { title: 'My Account', guard: 'signed-in' },
  [portalPages.security]: { title: 'Password & Security', guard: 'signed-in' },
  [portalPages.signIn]: { title: 'Sign in', guard: { signedOutOnly: 'You are already signed in' } },
  [portalPages.signUp]: {
    title: 'Create an account',
    guard: { signedOutOnly: 'You cannot signup when you are already signed in.' },
  },
  [portalPages.verifyAccount]: {
    title: 'Confirm your account',
    guard: { signedOutOnly: 'You cannot complete a new signup when you are already signed in' },
  },
  [portalPages.askForReset]: { title: 'Reset Password', guard: { signedOutOnly: USE_SECURITY_PAGE } },
  [portalPages.newPassword]: { title: 'Reset Password', guard: { signedOutOnly: USE_SECURITY_PAGE } },
  [portalPages.verifyMagicLink]: {
    title: 'Sign in',
    guard: { signedOutOnly: 'Cannot use a magic link when already signed in' },
  },
  [portalPages.verifyEmail]: { title: 'Confirm your new email address', guard: 'open' },
  [portalPages.undoEmail]: { title: 'Keep your old email address', guard: 'open' },
  [portalPages.signOut]: { title: 'Sign out', guard: 'open' },
  [portalPages.notFound]: NOT_FOUND_PAGE,
};
