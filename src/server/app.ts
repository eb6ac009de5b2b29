import type { Hono } from 'hono';
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
import type { Call } from '#contract/endpoint.ts';
import { gateFareCalls } from '#contract/gate/fares/schemas.ts';
import { queueCalls } from '#contract/gate/queue/schemas.ts';
import { gateSaleCalls } from '#contract/gate/sales/schemas.ts';
import { gateCalls } from '#contract/gate/schemas.ts';
import { gateVehicleCalls } from '#contract/gate/vehicles/schemas.ts';
import { gateDeviceCalls } from '#contract/gate-devices/schemas.ts';
import { accountCalls } from '#contract/identity/accounts/schemas.ts';
import { registrationCalls } from '#contract/identity/registration/schemas.ts';
import { securityCalls } from '#contract/identity/security/schemas.ts';
import { signInCalls } from '#contract/identity/sign-in/schemas.ts';
import { invoiceCalls } from '#contract/invoices/schemas.ts';
import { checkoutCalls } from '#contract/orders/buy/schemas.ts';
import { cancellationCalls } from '#contract/orders/cancel/schemas.ts';
import { changeCalls } from '#contract/orders/change/schemas.ts';
import { orderHistoryCalls } from '#contract/orders/history/schemas.ts';
import { pushCalls } from '#contract/orders/push/schemas.ts';
import { rebookingCalls } from '#contract/orders/rebook/schemas.ts';
import { orderCalls } from '#contract/orders/schemas.ts';
import { ticketShareCalls } from '#contract/orders/ticket-shares/schemas.ts';
import { ticketCalls } from '#contract/orders/tickets/schemas.ts';
import { passengerListCalls } from '#contract/passenger-lists/schemas.ts';
import { passCalls } from '#contract/passes/schemas.ts';
import { paymentCardCalls } from '#contract/payment-cards/schemas.ts';
import { paymentCalls } from '#contract/payments/schemas.ts';
import { privacyCalls } from '#contract/privacy/schemas.ts';
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
import type { Context } from './context.ts';
import { createDepartureHandlers } from './departures/routes.ts';
import { createAsCustomerHandlers } from './desk/as-customer/routes.ts';
import { createCardSaleHandlers } from './desk/card-sales/routes.ts';
import { createStaffChangeHandlers } from './desk/changes/routes.ts';
import { createStaffCustomerHandlers } from './desk/customers/routes.ts';
import { createDrawerHandlers } from './desk/drawer/routes.ts';
import { createHeldBackHandlers } from './desk/held-back/routes.ts';
import { createInvoiceHandlers } from './desk/invoices/routes.ts';
import { createLiveHandlers } from './desk/live/routes.ts';
import { createStaffOrderHandlers } from './desk/orders/routes.ts';
import { createStaffPrivacyHandlers } from './desk/privacy/routes.ts';
import { createStaffRefundHandlers } from './desk/refunds/routes.ts';
import { createDeskHandlers } from './desk/routes.ts';
import { createStaffSettingsHandlers } from './desk/settings/routes.ts';
import { createTimetableHandlers } from './desk/timetable/routes.ts';
import { createGateFareHandlers } from './gate/fares/routes.ts';
import { createQueueHandlers } from './gate/queue/routes.ts';
import { createGateHandlers } from './gate/routes.ts';
import { createGateSaleHandlers } from './gate/sales/routes.ts';
import { createGateVehicleHandlers } from './gate/vehicles/routes.ts';
import { createGateDeviceHandlers } from './gate-devices/routes.ts';
import { type ApiEnv, createRouter } from './http/api.ts';
import { type Handlers, handleCalls, type SessionFinders } from './http/handle-calls.ts';
import { createUnmatchedError } from './http/match-calls.ts';
import { createMiddleware, type MiddlewareOptions } from './http/middleware.ts';
import { answerError } from './http/respond.ts';
import { createAccountHandlers, createRegistrationHandlers } from './identity/accounts/routes.ts';
import { createSecurityHandlers } from './identity/security/routes.ts';
import { findSession } from './identity/sessions.ts';
import { createSignInHandlers } from './identity/sign-in/routes.ts';
import { createCheckoutHandlers } from './orders/buy/routes.ts';
import { createCancellationHandlers } from './orders/cancel/routes.ts';
import { createChangeHandlers } from './orders/change/routes.ts';
import { orderRefunds } from './orders/pay/order-refunds.ts';
import { orderSubject } from './orders/pay/order-subject.ts';
import { createPaymentHandlers } from './orders/pay/routes.ts';
import { createPushHandlers } from './orders/push/routes.ts';
import { createRebookingHandlers } from './orders/rebook/routes.ts';
import { createReceiptHandlers } from './orders/receipts/routes.ts';
import { createOrderHandlers, createOrderHistoryHandlers } from './orders/routes.ts';
import { createTicketHandlers } from './orders/tickets/routes.ts';
import { createTicketShareHandlers } from './orders/tickets/share-routes.ts';
import type { Pages } from './pages/pages.ts';
import { createPassengerListHandlers } from './passenger-lists/routes.ts';
import { createPassHandlers } from './passes/routes.ts';
import { savedCardSubject } from './payment-cards/card-webhooks.ts';
import { createPaymentCardHandlers } from './payment-cards/routes.ts';
import type { PaymentSubjects } from './payments/subjects.ts';
import { createPrivacyHandlers } from './privacy/routes.ts';
import { createReportHandlers } from './reports/routes.ts';
import { createSailingHandlers } from './sailings/routes.ts';
import { createSavedPartyHandlers } from './saved-party/routes.ts';
import { createSystemHandlers } from './settings/routes.ts';
import { getLastLanguage } from './settings/web-settings.ts';
import { createStaffAccountHandlers } from './staff/account-routes.ts';
import { createAuditHandlers } from './staff/audit-routes.ts';
import { createStaffMemberHandlers } from './staff/member-routes.ts';
import { recordRefusal } from './staff/record-refusal.ts';
import { createStaffHandlers } from './staff/routes.ts';
import { findStaffSession } from './staff/sessions.ts';
import { createTripCardHandlers } from './trip-cards/routes.ts';
import { topUpSubject } from './trip-cards/top-up-subject.ts';

type AppOptions = MiddlewareOptions & {
  stopping?: AbortSignal | undefined;
  pages?: Pick<Pages, 'composePreview' | 'refresh'> | undefined;
};

/**
 * Creates the API, identical on all hosts. Does not listen on a port or read the environment.
 * @param options of the middleware of all calls. `stopping`: aborted when the server stops, which ends streams of events.
 * `pages`: renders public pages; without it they cannot be previewed
 */
export function createApp(context: Context, { stopping, pages, ...options }: AppOptions = {}): Hono<ApiEnv> {
  const app = createRouter();
  const getOperatorLanguage = () => getLastLanguage(context);
  const middleware = createMiddleware(context, { getOperatorLanguage, ...options });
  const findSessions: SessionFinders = {
    customer: (credentials) => findSession(context, credentials),
    staff: (credentials) => findStaffSession(context, credentials),
  };
  const handling: Parameters<typeof handleCalls>[1] = {
    ...context,
    ...{ middleware, findSessions },
    recordRefusal: (refusal) => recordRefusal(context, refusal),
  };
  const mount = <Calls extends Readonly<Record<string, Call>>>(calls: Calls, handlers: Handlers<Calls>) =>
    handleCalls(app, handling, { calls, handlers });
  mount(systemCalls, createSystemHandlers(context));
  mount(sailingCalls, createSailingHandlers(context));
  mount(departureCalls, createDepartureHandlers(context));
  mount(signInCalls, createSignInHandlers(context));
  mount(registrationCalls, createRegistrationHandlers(context));
  mount(accountCalls, createAccountHandlers(context));
  mount(privacyCalls, createPrivacyHandlers(context));
  mount(securityCalls, createSecurityHandlers(context));
  mount(ticketCalls, createTicketHandlers(context));
  mount(ticketShareCalls, createTicketShareHandlers(context));
  mount(pushCalls, createPushHandlers(context));
  mount(checkoutCalls, createCheckoutHandlers(context));
  mount(orderCalls, createOrderHandlers(context));
  mount(orderHistoryCalls, createOrderHistoryHandlers(context));
  mount(cancellationCalls, createCancellationHandlers(context));
  mount(rebookingCalls, createRebookingHandlers(context));
  mount(changeCalls, createChangeHandlers(context));
  mount(paymentCalls, createPaymentHandlers(context, paymentSubjects));
  mount(tripCardCalls, createTripCardHandlers(context));
  mount(passCalls, createPassHandlers(context));
  mount(paymentCardCalls, createPaymentCardHandlers(context));
  mount(savedPartyCalls, createSavedPartyHandlers(context));
  mount(staffCalls, createStaffHandlers(context));
  mount(staffAccountCalls, createStaffAccountHandlers(context));
  mount(staffMemberCalls, createStaffMemberHandlers(context));
  mount(auditCalls, createAuditHandlers(context));
  mount(deskCalls, createDeskHandlers(context));
  mount(liveCalls, createLiveHandlers(context, stopping));
  mount(heldBackCalls, createHeldBackHandlers(context));
  mount(cardSaleCalls, createCardSaleHandlers(context));
  mount(drawerCalls, createDrawerHandlers(context));
  mount(timetableCalls, createTimetableHandlers(context));
  mount(reportCalls, createReportHandlers(context));
  mount(staffCustomerCalls, createStaffCustomerHandlers(context));
  mount(staffSettingsCalls, createStaffSettingsHandlers(context, pages));
  mount(asCustomerCalls, createAsCustomerHandlers(context));
  mount(staffPrivacyCalls, createStaffPrivacyHandlers(context));
  mount(staffRefundCalls, createStaffRefundHandlers(context));
  mount(staffChangeCalls, createStaffChangeHandlers(context));
  mount(receiptCalls, createReceiptHandlers(context));
  mount(invoiceCalls, createInvoiceHandlers(context));
  mount(staffOrderCalls, createStaffOrderHandlers(context));
  mount(gateCalls, createGateHandlers(context));
  mount(queueCalls, createQueueHandlers(context));
  mount(passengerListCalls, createPassengerListHandlers(context));
  mount(gateSaleCalls, createGateSaleHandlers(context));
  mount(gateFareCalls, createGateFareHandlers(context));
  mount(gateDeviceCalls, createGateDeviceHandlers(context));
  mount(gateVehicleCalls, createGateVehicleHandlers(context));
  app.notFound(middleware('/*', (c) => answerError(c, createUnmatchedError(c))));
  return app;
}

/** Everything that is paid, refunded or saved through the card provider. */
export const paymentSubjects: PaymentSubjects = {
  payments: [orderSubject, topUpSubject],
  refunds: orderRefunds,
  savedCards: savedCardSubject,
};
