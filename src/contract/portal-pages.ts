import { message } from '#messages/translate.ts';
import { NOT_FOUND_PAGE, type PageTable } from './page.ts';
import { portalPages } from './paths.ts';

const USE_SECURITY_PAGE = message(
  'Use the Password & Security page to reset your password when already signed in',
);
const savedOnDevice = { guard: 'signed-in', isReadableOffline: true, allowsOutsideScripts: true } as const;

/** The pages of the account portal. */
export const portalPageTable: PageTable<'portal'> = {
  [portalPages.home]: { title: null, guard: 'signed-in', allowsOutsideScripts: true },
  [portalPages.orders]: { ...savedOnDevice, title: message('My Orders'), hasSnapshot: true },
  [portalPages.tripCards]: { ...savedOnDevice, title: message('Trip Cards'), hasSnapshot: true },
  [portalPages.tripCardBalance]: { ...savedOnDevice, title: message('Trip Card Balance'), hasSnapshot: true },
  [portalPages.tripCardTopUps]: { ...savedOnDevice, title: message('Trip Card Top-ups') },
  [portalPages.passes]: { title: message('Buy a pass'), guard: 'signed-in' },
  [portalPages.paymentMethods]: { title: message('Payment Methods'), guard: 'signed-in' },
  [portalPages.account]: { title: message('My Account'), guard: 'signed-in' },
  [portalPages.security]: { title: message('Password & Security'), guard: 'signed-in' },
  [portalPages.signIn]: {
    title: message('Sign in'),
    guard: { signedOutOnly: message('You are already signed in') },
  },
  [portalPages.signUp]: {
    title: message('Create an account'),
    guard: { signedOutOnly: message('You cannot signup when you are already signed in.') },
  },
  [portalPages.verifyAccount]: {
    title: message('Confirm your account'),
    guard: { signedOutOnly: message('You cannot complete a new signup when you are already signed in') },
  },
  [portalPages.askForReset]: {
    title: message('Reset Password'),
    guard: { signedOutOnly: USE_SECURITY_PAGE },
  },
  [portalPages.newPassword]: {
    title: message('Reset Password'),
    guard: { signedOutOnly: USE_SECURITY_PAGE },
  },
  [portalPages.verifyMagicLink]: {
    title: message('Sign in'),
    guard: { signedOutOnly: message('Cannot use a magic link when already signed in') },
  },
  [portalPages.verifyEmail]: { title: message('Confirm your new email address'), guard: 'open' },
  [portalPages.undoEmail]: { title: message('Keep your old email address'), guard: 'open' },
  [portalPages.signOut]: { title: message('Sign out'), guard: 'open' },
  [portalPages.notFound]: NOT_FOUND_PAGE,
};
