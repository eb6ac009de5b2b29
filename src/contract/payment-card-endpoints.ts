import * as z from 'zod/mini';
import {
  AddPaymentCardSchema,
  PaymentCardSchema,
  RemovedPaymentCardSchema,
  SetupIntentSchema,
  StartSetupSchema,
} from '#contract/payment-cards/schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { apiPaths } from './paths.ts';

export const paymentCardEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: apiPaths.primaryCard,
    summary: 'The card that is paid with unless another is chosen; null while there is none that is good',
    auth: 'session',
    response: z.nullable(PaymentCardSchema),
    errors: [],
  },
  {
    method: 'GET',
    path: apiPaths.paymentCards,
    summary: 'The saved cards, the primary one first, then the newest; paged',
    auth: 'session',
    filters: [],
    response: z.array(PaymentCardSchema),
    errors: [],
  },
  {
    method: 'POST',
    path: apiPaths.newPaymentCard,
    summary: 'Starts saving a card; the card itself goes from the browser to the provider',
    auth: 'session',
    idempotency: 'optional',
    body: StartSetupSchema,
    status: 201,
    response: SetupIntentSchema,
    errors: ['too_many_cards', 'payment_unavailable', 'rate_limited'],
  },
  {
    method: 'POST',
    path: apiPaths.paymentCards,
    summary: 'Adds the card of a finished setup; one that is there already is brought up to date',
    auth: 'session',
    idempotency: 'optional',
    body: AddPaymentCardSchema,
    status: 201,
    response: PaymentCardSchema,
    errors: ['setup_refused', 'setup_unfinished', 'payment_unavailable'],
  },
  {
    method: 'POST',
    path: apiPaths.makeCardPrimary,
    summary: 'Makes a card the primary one',
    auth: 'session',
    idempotency: 'optional',
    response: PaymentCardSchema,
    errors: ['not_found', 'card_expired'],
  },
  {
    method: 'DELETE',
    path: apiPaths.paymentCard,
    summary: 'Deletes a card; the newest that has not expired takes its place as the primary one',
    auth: 'session',
    response: RemovedPaymentCardSchema,
    errors: ['not_found'],
  },
];
