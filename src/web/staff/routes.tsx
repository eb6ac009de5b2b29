import type { RouteObject } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { staffPageTable } from '#contract/staff-pages.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
import { t } from '#web/language/texts.ts';
import { layout, redirectFrom, screen } from '#web/platform/router/screen.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { SignedInOnly, StaffFrame } from './staff-frame.tsx';

const asCustomerScreen = () =>
  import('./as-customer/as-customer-screen.tsx').then((module) => module.AsCustomerScreen);

/** Screens inside `SignedInOnly` are for signed-in staff; the navigation to them is in areas.ts. */
export const routes: RouteObject[] = [
  layout(StaffFrame, [
    layout(SignedInOnly, [
      screen(staffPageTable, {
        path: staffPages.home,
        name: 'staff.home',
        lazy: () => import('./home/home-screen.tsx').then((module) => module.HomeScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.boats,
        name: 'staff.boats',
        lazy: () => import('./boats/board-screen.tsx').then((module) => module.BoardScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.boat,
        name: 'staff.boat',
        lazy: () => import('./boats/boat-screen.tsx').then((module) => module.BoatScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.work,
        name: 'staff.work',
        lazy: () => import('./work-list/work-list-screen.tsx').then((module) => module.WorkListScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.orders,
        name: 'staff.orders',
        lazy: () => import('./orders/orders-screen.tsx').then((module) => module.OrdersScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.order,
        name: 'staff.order',
        lazy: () => import('./orders/order-screen.tsx').then((module) => module.OrderScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.orderAsCustomer,
        name: 'staff.order-as-customer',
        lazy: asCustomerScreen,
      }),
      screen(staffPageTable, {
        path: staffPages.customerAsCustomer,
        name: 'staff.customer-as-customer',
        lazy: asCustomerScreen,
      }),
      screen(staffPageTable, {
        path: staffPages.customer,
        name: 'staff.customer',
        lazy: () => import('./customers/customer-screen.tsx').then((module) => module.CustomerScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.devices,
        name: 'staff.devices',
        lazy: () => import('./devices/devices-screen.tsx').then((module) => module.DevicesScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.passengerLists,
        name: 'staff.passenger-lists',
        lazy: () => import('./passenger-lists/boats-screen.tsx').then((module) => module.BoatsScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.passengerList,
        name: 'staff.passenger-list',
        lazy: () => import('./passenger-lists/list-screen.tsx').then((module) => module.ListScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.account,
        name: 'staff.account',
        lazy: () => import('./account/account-screen.tsx').then((module) => module.AccountScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.staff,
        name: 'staff.people',
        lazy: () => import('./people/people-screen.tsx').then((module) => module.PeopleScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.drawer,
        name: 'staff.drawer',
        lazy: () => import('./drawer/drawer-screen.tsx').then((module) => module.DrawerScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.cardSales,
        name: 'staff.card-sales',
        lazy: () => import('./card-sales/card-sales-screen.tsx').then((module) => module.CardSalesScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.cardSale,
        name: 'staff.card-sale',
        lazy: () => import('./card-sales/card-sale-screen.tsx').then((module) => module.CardSaleScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.invoices,
        name: 'staff.invoices',
        lazy: () => import('./invoices/invoices-screen.tsx').then((module) => module.InvoicesScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.timetable,
        name: 'staff.timetable',
        lazy: () => import('./timetable/timetable-screen.tsx').then((module) => module.TimetableScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.prices,
        name: 'staff.prices',
        lazy: () => import('./timetable/prices/prices-screen.tsx').then((module) => module.PricesScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.reports,
        name: 'staff.reports',
        lazy: () => import('./reports/reports-screen.tsx').then((module) => module.ReportsScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.payout,
        name: 'staff.payout',
        lazy: () => import('./reports/payout-screen.tsx').then((module) => module.PayoutScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.settings,
        name: 'staff.settings',
        lazy: () => import('./settings/settings-screen.tsx').then((module) => module.SettingsScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.privacy,
        name: 'staff.privacy',
        lazy: () => import('./privacy/privacy-screen.tsx').then((module) => module.PrivacyScreen),
      }),
      screen(staffPageTable, {
        path: staffPages.audit,
        name: 'staff.audit',
        lazy: () => import('./audit/audit-screen.tsx').then((module) => module.AuditScreen),
      }),
    ]),
    screen(staffPageTable, {
      path: staffPages.pairDevice,
      name: 'staff.pair-device',
      lazy: () => import('./devices/pair-screen.tsx').then((module) => module.PairScreen),
    }),
    screen(staffPageTable, {
      path: staffPages.invitation,
      name: 'staff.invitation',
      lazy: () => import('./invitation/invitation-screen.tsx').then((module) => module.InvitationScreen),
    }),
    screen(staffPageTable, {
      path: staffPages.gate,
      name: 'staff.gate',
      lazy: () => import('./gate/gate-screen.tsx').then((module) => module.GateScreen),
    }),
    screen(staffPageTable, { path: staffPages.notFound, name: 'not-found', component: NotFoundScreen }),
    redirectFrom('*', staffPages.notFound),
  ]),
];

function NotFoundScreen() {
  return <NothingHere action={<ButtonLink to={staffPages.home}>{t('Staff')}</ButtonLink>} />;
}
