import type { RouteObject } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { portalPageTable } from '#contract/portal-pages.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
import { t } from '#web/language/texts.ts';
import { layout, redirectFrom, screen } from '#web/platform/router/screen.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { preloadAccount } from './identity/account/primary-card.ts';
import { preloadSecurity } from './identity/security/queries.ts';
import { SignOutScreen } from './identity/sign-out/sign-out-screen.tsx';
import { preloadOrders } from './orders/queries.ts';
import { preloadPaymentMethods } from './payment-methods/queries.ts';
import { PortalFrame } from './portal-frame.tsx';
import { preloadBalance, preloadTopUps, preloadTripCards } from './trip-cards/queries.ts';

export const routes: RouteObject[] = [
  redirectFrom(portalPages.home, portalPages.orders),
  layout(PortalFrame, [
    screen(portalPageTable, {
      path: portalPages.signIn,
      name: 'signIn',
      lazy: () => import('./identity/sign-in/sign-in-screen.tsx').then((module) => module.SignInScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.signUp,
      name: 'signUp',
      lazy: () => import('./identity/sign-up/sign-up-screen.tsx').then((module) => module.SignUpScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.verifyAccount,
      name: 'verify-account',
      lazy: () =>
        import('./identity/verify/verify-account-screen.tsx').then((module) => module.VerifyAccountScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.askForReset,
      name: 'send-reset-password-instructions',
      lazy: () =>
        import('./identity/password/ask-for-reset-screen.tsx').then((module) => module.AskForResetScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.newPassword,
      name: 'reset-password',
      lazy: () =>
        import('./identity/password/new-password-screen.tsx').then((module) => module.NewPasswordScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.verifyMagicLink,
      name: 'verify-magic-link',
      lazy: () => import('./identity/sign-in/magic-link-screen.tsx').then((module) => module.MagicLinkScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.verifyEmail,
      name: 'verify-email-change',
      lazy: () =>
        import('./identity/verify/verify-email-screen.tsx').then((module) => module.VerifyEmailScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.undoEmail,
      name: 'undo-email-change',
      lazy: () => import('./identity/verify/undo-email-screen.tsx').then((module) => module.UndoEmailScreen),
    }),
    // Not lazy: leaving must work without a connection.
    screen(portalPageTable, { path: portalPages.signOut, name: 'signOut', component: SignOutScreen }),
    screen(portalPageTable, {
      path: portalPages.orders,
      name: 'orders',
      preload: preloadOrders,
      lazy: () => import('./orders/orders-screen.tsx').then((module) => module.OrdersScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.account,
      name: 'my-account',
      preload: preloadAccount,
      lazy: () => import('./identity/account/account-screen.tsx').then((module) => module.AccountScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.security,
      name: 'security',
      preload: preloadSecurity,
      lazy: () => import('./identity/security/security-screen.tsx').then((module) => module.SecurityScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.paymentMethods,
      name: 'payment-methods',
      preload: preloadPaymentMethods,
      lazy: () =>
        import('./payment-methods/payment-methods-screen.tsx').then((module) => module.PaymentMethodsScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.tripCards,
      name: 'trip-cards',
      preload: preloadTripCards,
      lazy: () => import('./trip-cards/trip-cards-screen.tsx').then((module) => module.TripCardsScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.passes,
      name: 'passes',
      lazy: () => import('./passes/passes-screen.tsx').then((module) => module.PassesScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.tripCardBalance,
      name: 'trip-card-balance-history',
      preload: preloadBalance,
      lazy: () => import('./trip-cards/balance-screen.tsx').then((module) => module.BalanceScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.tripCardTopUps,
      name: 'trip-card-top-up-history',
      preload: preloadTopUps,
      lazy: () => import('./trip-cards/top-ups-screen.tsx').then((module) => module.TopUpsScreen),
    }),
    screen(portalPageTable, {
      path: portalPages.notFound,
      name: 'not-found',
      component: NotFoundScreen,
    }),
    redirectFrom('*', portalPages.notFound),
  ]),
];

function NotFoundScreen() {
  return <NothingHere action={<ButtonLink to={portalPages.orders}>{t('My Orders')}</ButtonLink>} />;
}
