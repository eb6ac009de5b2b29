import type { PaymentCard } from '#contract/payment-cards/schemas.ts';

/** A saved card as the API returns it. */
export function buildPaymentCard(over: Partial<PaymentCard> = {}): PaymentCard {
  return {
    id: 'pcd_00000000000000000000000001',
    last_four: '4242',
    exp_month: 12,
    exp_year: 2034,
    network: 'visa',
    funding: 'credit',
    primary: false,
    inserted_at: '2026-06-01T12:00:00.000Z',
    status: 'active',
    exp_date: '12/34',
    expired: false,
    expires_soon: false,
    ...over,
  };
}
