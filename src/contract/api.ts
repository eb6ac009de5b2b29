import { departureCalls } from '#contract/departures/schemas.ts';
import { asCustomerCalls } from '#contract/desk/as-customer/schemas.ts';
import { cardSaleCalls } from '#contract/desk/card-sales/schemas.ts';
import { staffChangeCalls } from '#contract/desk/changes/schemas.ts';
import { staffCustomerCalls } from '#contract/desk/customers/schemas.ts';
import { drawerCalls } from '#contract/desk/drawer/schemas.ts';
import { heldBackCalls } from '#contract/desk/held-back/schemas.ts';
import { liveCalls } from '#contract/desk/live/schemas.ts';
import { staffOrderCalls } from '#contract/desk/orders/schemas.ts';
import { staffPrivacyCalls } from '#contract/desk/privacy/schemas.ts';
import { staffRefundCalls } from '#contract/desk/refunds/schemas.ts';
import { deskCalls } from '#contract/desk/schemas.ts';
import { staffSettingsCalls } from '#contract/desk/settings/schemas.ts';
import { timetableCalls } from '#contract/desk/timetable/schemas.ts';
import { gateFareCalls } from '#contract/gate/fares/schemas.ts';
import { queueCalls } from '#contract/gate/queue/schemas.ts';
import { gateSaleCalls } from '#contract/gate/sales/schemas.ts';
import { gateCalls } from '#contract/gate/schemas.ts';
import { gateVehicleCalls } from '#contract/gate/vehicles/schemas.ts';
import { gateDeviceCalls } from '#contract/gate-devices/schemas.ts';
import { invoiceCalls } from '#contract/invoices/schemas.ts';
import { orderCalls } from '#contract/orders/schemas.ts';
import { passengerListCalls } from '#contract/passenger-lists/schemas.ts';
import { passCalls } from '#contract/passes/schemas.ts';
import { paymentCardCalls } from '#contract/payment-cards/schemas.ts';
import { paymentCalls } from '#contract/payments/schemas.ts';
import { receiptCalls } from '#contract/receipts/schemas.ts';
import { reportCalls } from '#contract/reports/schemas.ts';
import { sailingCalls } from '#contract/sailings/schemas.ts';
import { savedPartyCalls } from '#contract/saved-party/schemas.ts';
import { staffAccountCalls } from '#contract/staff/account/schemas.ts';
import { auditCalls } from '#contract/staff/audit/schemas.ts';
import { staffMemberCalls } from '#contract/staff/members/schemas.ts';
import { staffCalls } from '#contract/staff/schemas.ts';
import { systemCalls } from '#contract/system/schemas.ts';
import { tripCardCalls } from '#contract/trip-cards/schemas.ts';
import type { Call } from './endpoint.ts';
import { accountCalls } from './identity/accounts/schemas.ts';
import { registrationCalls } from './identity/registration/schemas.ts';
import { securityCalls } from './identity/security/schemas.ts';
import { signInCalls } from './identity/sign-in/schemas.ts';
import { checkoutCalls } from './orders/buy/schemas.ts';
import { cancellationCalls } from './orders/cancel/schemas.ts';
import { changeCalls } from './orders/change/schemas.ts';
import { orderHistoryCalls } from './orders/history/schemas.ts';
import { pushCalls } from './orders/push/schemas.ts';
import { rebookingCalls } from './orders/rebook/schemas.ts';
import { ticketShareCalls } from './orders/ticket-shares/schemas.ts';
import { ticketCalls } from './orders/tickets/schemas.ts';
import { privacyCalls } from './privacy/schemas.ts';

/** Calls of customers and the public, and of staff where one file describes both. */
const customerApi = {
  ...systemCalls,
  ...sailingCalls,
  ...departureCalls,
  ...checkoutCalls,
  ...orderCalls,
  ...orderHistoryCalls,
  ...cancellationCalls,
  ...rebookingCalls,
  ...changeCalls,
  ...paymentCalls,
  ...ticketCalls,
  ...ticketShareCalls,
  ...pushCalls,
  ...signInCalls,
  ...registrationCalls,
  ...accountCalls,
  ...privacyCalls,
  ...securityCalls,
  ...tripCardCalls,
  ...passCalls,
  ...paymentCardCalls,
  ...savedPartyCalls,
  ...passengerListCalls,
  ...receiptCalls,
};

/** Calls of staff. */
const staffApi = {
  ...staffCalls,
  ...staffMemberCalls,
  ...staffAccountCalls,
  ...staffOrderCalls,
  ...staffRefundCalls,
  ...staffChangeCalls,
  ...staffCustomerCalls,
  ...staffSettingsCalls,
  ...asCustomerCalls,
  ...staffPrivacyCalls,
  ...auditCalls,
  ...deskCalls,
  ...drawerCalls,
  ...cardSaleCalls,
  ...heldBackCalls,
  ...liveCalls,
  ...timetableCalls,
  ...reportCalls,
  ...invoiceCalls,
  ...gateCalls,
  ...queueCalls,
  ...gateSaleCalls,
  ...gateFareCalls,
  ...gateDeviceCalls,
  ...gateVehicleCalls,
};

/**
 * Every call of the API by name. Browser code imports only its type, because the value contains all schemas. Its two parts are
 * named, because the compiler does not write out a type as long as both.
 */
export const api: typeof customerApi & typeof staffApi = { ...customerApi, ...staffApi };

export const calls: readonly ({ name: string } & Call)[] = Object.entries(api).map(([name, call]) => ({
  name,
  ...call,
}));
