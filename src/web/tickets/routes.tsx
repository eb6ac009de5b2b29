import type { ReactElement } from 'react';
import { Link, NavLink, Outlet, type RouteObject } from 'react-router';
import { portalPages, ticketPages } from '#contract/paths.ts';
import { SITE_LINKS, SITE_LINKS_LABEL } from '#contract/site-links.ts';
import { ticketPageTable } from '#contract/ticket-pages.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
import { SiteFrame } from '#web/features/site/site-frame.tsx';
import { t } from '#web/language/texts.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { layout, redirectFrom, screen } from '#web/platform/router/screen.ts';
import { useSession } from '#web/platform/session/session.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { useIsDisplay } from './departures/use-is-display.ts';
import { openPurchase, PurchaseContext, storePurchase } from './purchase.ts';

/** Opens the purchase of this tab. @returns provides it to the app's screens */
export function startPurchase(): (app: ReactElement) => ReactElement {
  const purchase = openPurchase();
  storePurchase(purchase);
  return (app) => <PurchaseContext value={purchase}>{app}</PurchaseContext>;
}

/** The design system on one page, for developers; a build leaves it out. */
const gallery: RouteObject = {
  path: '/gallery',
  handle: { name: 'gallery', lazy: () => import('#web/ui/gallery/gallery.tsx').then((m) => m.Gallery) },
};

const homeScreen = () => import('./home/home-screen.tsx').then((m) => m.HomeScreen);

export const routes: RouteObject[] = [
  ...(import.meta.env.DEV ? [gallery] : []),
  layout(TicketsFrame, [
    screen(ticketPageTable, { path: ticketPages.home, name: 'tickets.home', lazy: homeScreen }),
    screen(ticketPageTable, { path: ticketPages.newOrder, name: 'orders.new', lazy: homeScreen }),
    screen(ticketPageTable, {
      path: ticketPages.confirmation,
      name: 'orders.confirmation',
      preload: ({ params, client }) => client.prefetchQuery(orderQuery(params.id ?? '')),
      lazy: () => import('./confirmation/confirmation-screen.tsx').then((m) => m.ConfirmationScreen),
    }),
    screen(ticketPageTable, {
      path: ticketPages.changeOrder,
      name: 'orders.change',
      preload: ({ params, client }) => client.prefetchQuery(orderQuery(params.id ?? '')),
      lazy: () => import('./change/change-screen.tsx').then((m) => m.ChangeScreen),
    }),
    screen(ticketPageTable, {
      path: ticketPages.departures,
      name: 'departures.ports',
      lazy: () => import('./departures/ports-screen.tsx').then((m) => m.PortsScreen),
    }),
    screen(ticketPageTable, {
      path: ticketPages.portDepartures,
      name: 'departures.port',
      lazy: () => import('./departures/departures-screen.tsx').then((m) => m.DeparturesScreen),
    }),
    screen(ticketPageTable, {
      path: ticketPages.sharedTickets,
      name: 'shared-tickets',
      lazy: () => import('./shared-tickets/shared-tickets-screen.tsx').then((m) => m.SharedTicketsScreen),
    }),
    screen(ticketPageTable, { path: ticketPages.notFound, name: 'not-found', component: NotFoundScreen }),
    redirectFrom('*', ticketPages.notFound),
  ]),
];

function TicketsFrame() {
  const { origins } = pageConfig();
  const { isAuthenticated } = useSession();
  if (useIsDisplay()) return <Outlet />;
  return (
    <SiteFrame
      homeTo={ticketPages.home}
      siteLinks={<SiteLinks />}
      links={
        <>
          <Link to={ticketPages.departures}>{t('Departures today')}</Link>
          {SITE_LINKS.map(
            ({ path, label, isScreen }) =>
              !isScreen && (
                <a key={path} href={path}>
                  {t(label)}
                </a>
              ),
          )}
        </>
      }
      actions={
        <a href={origins.portal + (isAuthenticated ? portalPages.orders : portalPages.signIn)}>
          {isAuthenticated ? t('My account') : t('Sign in')}
        </a>
      }
    >
      <Outlet />
    </SiteFrame>
  );
}

function SiteLinks() {
  return (
    <nav className="site-links" aria-label={t(SITE_LINKS_LABEL)}>
      {SITE_LINKS.map(({ path, label, isScreen }) => (
        <NavLink key={path} to={path} end={path === ticketPages.home} reloadDocument={!isScreen}>
          {t(label)}
        </NavLink>
      ))}
    </nav>
  );
}

function NotFoundScreen() {
  return (
    <NothingHere
      action={
        <Cluster justify="center">
          <ButtonLink to={ticketPages.home}>{t('Buy tickets')}</ButtonLink>
          <ButtonLink variant="secondary" to={`${ticketPages.home}?find=1`}>
            {t('Find my tickets')}
          </ButtonLink>
        </Cluster>
      }
    />
  );
}
