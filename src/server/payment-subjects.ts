import { orderRefunds } from './order-payments/order-refunds.ts';
import { orderSubject } from './order-payments/order-subject.ts';
import { savedCardSubject } from './payment-cards/card-webhooks.ts';
import type { PaymentSubjects } from './payments/subjects.ts';
import { topUpSubject } from './trip-cards/top-up-subject.ts';

/** Everything that is paid, refunded or saved through the card provider. */
export const paymentSubjects: PaymentSubjects = {
  payments: [orderSubject, topUpSubject],
  refunds: orderRefunds,
  savedCards: savedCardSubject,
};
