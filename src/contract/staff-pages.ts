import { message } from '#messages/translate.ts';
import { NOT_FOUND_PAGE, type PageTable } from './page.ts';
import { staffPages } from './paths.ts';

/** The pages of the staff host. */
export const staffPageTable: PageTable<'staff'> = {
  [staffPages.home]: { title: message('Staff'), guard: 'open' },
  [staffPages.gate]: { title: message('Gate'), guard: 'open' },
  [staffPages.invitation]: { title: message('Your staff account'), guard: 'open' },
  [staffPages.work]: { title: message('To do'), guard: 'open' },
  [staffPages.boats]: { title: message('Boats'), guard: 'open' },
  [staffPages.boat]: { title: message('Boat|that leaves'), guard: 'open' },
  [staffPages.orders]: { title: message('Orders'), guard: 'open' },
  [staffPages.order]: { title: message('Order'), guard: 'open' },
  [staffPages.orderAsCustomer]: { title: message('As the customer sees it'), guard: 'open' },
  [staffPages.customer]: { title: message('Customer'), guard: 'open' },
  [staffPages.customerAsCustomer]: { title: message('As the customer sees it'), guard: 'open' },
  [staffPages.devices]: { title: message('Devices'), guard: 'open' },
  [staffPages.pairDevice]: { title: message('Pair this device'), guard: 'open' },
  [staffPages.account]: { title: message('Your account'), guard: 'open' },
  [staffPages.passengerLists]: { title: message('Passenger lists'), guard: 'open' },
  [staffPages.passengerList]: { title: message('Passenger list'), guard: 'open' },
  [staffPages.staff]: { title: message('Staff'), guard: 'open' },
  [staffPages.drawer]: { title: message('Cash drawer'), guard: 'open' },
  [staffPages.cardSales]: { title: message('Trip cards'), guard: 'open' },
  [staffPages.cardSale]: { title: message('Sale of trip cards'), guard: 'open' },
  [staffPages.invoices]: { title: message('Invoices'), guard: 'open' },
  [staffPages.timetable]: { title: message('Timetable and prices'), guard: 'open' },
  [staffPages.prices]: { title: message('Prices'), guard: 'open' },
  [staffPages.reports]: { title: message('Reports'), guard: 'open' },
  [staffPages.payout]: { title: message('Payout'), guard: 'open' },
  [staffPages.audit]: { title: message('Audit log'), guard: 'open' },
  [staffPages.settings]: { title: message('Settings'), guard: 'open' },
  [staffPages.privacy]: { title: message('Privacy requests'), guard: 'open' },
  [staffPages.notFound]: { title: NOT_FOUND_PAGE.title, guard: 'open' },
};
