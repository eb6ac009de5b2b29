/** How a checkout ended. `no_room`: paid too late, so refunded. */
export const CHECKOUT_OUTCOMES = ['confirmed', 'declined', 'expired', 'canceled', 'no_room'] as const;
export type CheckoutOutcome = (typeof CHECKOUT_OUTCOMES)[number];

/** A finished request of the API. */
export type FinishedRequest = {
  method: string;
  /** The route's pattern, not the path. */
  route: string;
  status: number;
  milliseconds: number;
};

/** Counts what happens in this process. */
export type Metrics = {
  countRequest(request: FinishedRequest): void;
  countCheckout(outcome: CheckoutOutcome): void;
};

/** Counts nothing, for processes whose figures are not read. */
export const noMetrics: Metrics = { countRequest() {}, countCheckout() {} };
