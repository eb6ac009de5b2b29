import { accountCalls } from '#contract/accounts/schemas.ts';
import { cancellationCalls } from '#contract/cancellations/schemas.ts';
import { changeCalls } from '#contract/changes/schemas.ts';
import { checkoutCalls } from '#contract/checkout/schemas.ts';
import { departureCalls } from '#contract/departures/schemas.ts';
import { orderCalls } from '#contract/orders/schemas.ts';
import { passCalls } from '#contract/passes/schemas.ts';
import { paymentCardCalls } from '#contract/payment-cards/schemas.ts';
import { paymentCalls } from '#contract/payments/schemas.ts';
import { rebookingCalls } from '#contract/rebooking/schemas.ts';
import { registrationCalls } from '#contract/registration/schemas.ts';
import { sailingCalls } from '#contract/sailings/schemas.ts';
import { securityCalls } from '#contract/security/schemas.ts';
import { signInCalls } from '#contract/sign-in/schemas.ts';
import { systemCalls } from '#contract/system/schemas.ts';
import { ticketShareCalls } from '#contract/ticket-shares/schemas.ts';
import { ticketCalls } from '#contract/tickets/schemas.ts';
import { tripCardCalls } from '#contract/trip-cards/schemas.ts';
import type { Call } from './endpoint.ts';

/** Every call of the API by name. Browser code imports only its type, because the value contains all schemas. */
export const api = {
  ...systemCalls,
  ...sailingCalls,
  ...departureCalls,
  ...checkoutCalls,
  ...orderCalls,
  ...cancellationCalls,
  ...rebookingCalls,
  ...changeCalls,
  ...paymentCalls,
  ...ticketCalls,
  ...ticketShareCalls,
  ...signInCalls,
  ...registrationCalls,
  ...accountCalls,
  ...securityCalls,
  ...tripCardCalls,
  ...passCalls,
  ...paymentCardCalls,
};

export const calls: readonly ({ name: string } & Call)[] = Object.entries(api).map(([name, call]) => ({
  name,
  ...call,
}));
