import { staffPages } from '#contract/paths.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import { type Message, message } from '#messages/translate.ts';
import type { IconName } from '#web/ui/icon.tsx';

export type Area = { to: string; label: Message; icon: IconName; permission: Permission };

/** What staff can do here, in the order of the navigation. Each sees what their role allows. */
export const AREAS: readonly Area[] = [
  { to: staffPages.home, label: message('Start|a tab of staff'), icon: 'anchor', permission: 'own_session' },
  { to: staffPages.gate, label: message('Gate'), icon: 'ticket', permission: 'scan_tickets' },
  { to: staffPages.boats, label: message('Boats'), icon: 'ferry', permission: 'see_orders' },
  { to: staffPages.work, label: message('To do'), icon: 'check', permission: 'see_orders' },
  {
    to: staffPages.passengerLists,
    label: message('Passenger lists'),
    icon: 'menu',
    permission: 'passenger_lists',
  },
  { to: staffPages.orders, label: message('Orders'), icon: 'card', permission: 'see_orders' },
  {
    to: staffPages.timetable,
    label: message('Timetable'),
    icon: 'clock',
    permission: 'change_timetable',
  },
  { to: staffPages.drawer, label: message('Cash drawer'), icon: 'key', permission: 'sell_tickets' },
  { to: staffPages.cardSales, label: message('Trip cards'), icon: 'trip-card', permission: 'see_orders' },
  { to: staffPages.invoices, label: message('Invoices'), icon: 'mail', permission: 'manage_invoices' },
  { to: staffPages.reports, label: message('Reports'), icon: 'calendar', permission: 'read_reports' },
  { to: staffPages.devices, label: message('Devices'), icon: 'phone', permission: 'manage_devices' },
  { to: staffPages.staff, label: message('Staff'), icon: 'person', permission: 'manage_staff' },
  { to: staffPages.audit, label: message('Audit log'), icon: 'eye', permission: 'read_audit_log' },
  { to: staffPages.settings, label: message('Settings'), icon: 'globe', permission: 'change_settings' },
  {
    to: staffPages.privacy,
    label: message('Privacy requests'),
    icon: 'eye-off',
    permission: 'answer_privacy_requests',
  },
  { to: staffPages.account, label: message('Account'), icon: 'shield', permission: 'own_session' },
];
