import { departureCalls } from '#contract/departures/schemas.ts';
import { orderCalls } from '#contract/orders/schemas.ts';
import { passCalls } from '#contract/passes/schemas.ts';
import { paymentCardCalls } from '#contract/payment-cards/schemas.ts';
import { paymentCalls } from '#contract/payments/schemas.ts';
import { sailingCalls } from '#contract/sailings/schemas.ts';
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
import { rebookingCalls } from './orders/rebook/schemas.ts';
import { ticketShareCalls } from './orders/ticket-shares/schemas.ts';
import { ticketCalls } from './orders/tickets/schemas.ts';
import { privacyCalls } from './privacy/schemas.ts';

/** Every call of the API by name. Browser code imports only its type, because the value contains all schemas. */
export const api = {
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
  ...signInCalls,
  ...registrationCalls,
  ...accountCalls,
  ...privacyCalls,
  ...securityCalls,
  ...tripCardCalls,
  ...passCalls,
  ...paymentCardCalls,
};

export const calls: readonly ({ name: string } & Call)[] = Object.entries(api).map(([name, call]) => ({
  name,
  ...call,
}));
