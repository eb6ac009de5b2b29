import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, IdSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import {
  CancellationQuoteSchema,
  RefundDestinationSchema,
  TicketIdsSchema,
} from '#contract/orders/cancel/schemas.ts';
import { REFUND_REASON_LENGTH } from '../limits.ts';
import { StaffOrderSchema } from '../orders/schemas.ts';
import * as endpoints from './endpoints.ts';
import { RefundScopeSchema } from './scope.ts';

/** A trip card's number as people type it. */
const CARD_NUMBER_LENGTH = 32;

const WhatToRefund = {
  scope: RefundScopeSchema,
  /** The number of a trip card that gets all of it; null: back to where the payments came from. */
  trip_card: z.nullable(z.string().check(z.maxLength(CARD_NUMBER_LENGTH))),
};

const PreviewRefundSchema = z.strictObject(WhatToRefund);
export type PreviewRefund = z.infer<typeof PreviewRefundSchema>;

const RefundOrderSchema = z.strictObject({
  ...WhatToRefund,
  reason: plainText(1, REFUND_REASON_LENGTH),
  /** Of the preview; another version of the order is refused. */
  version: z.int(),
});
export type RefundStaffOrder = z.infer<typeof RefundOrderSchema>;

const RefundPreviewSchema = z.object({
  /** Of the order; a refund names it. */
  version: z.int(),
  /** The tickets that are canceled, as on the order. */
  tickets: z.array(
    z.object({ ticket_id: IdSchema, title: z.string(), traveler_name: z.nullable(z.string()) }),
  ),
  amount: AmountSchema,
  currency: CurrencySchema,
  destinations: z.array(RefundDestinationSchema),
  /** Whether it is more than one person may refund of an order, so that another one has to approve it. */
  needs_approval: z.boolean(),
  /** What one person may refund of an order beyond its fare's rules. */
  limit: AmountSchema,
});
export type RefundPreview = z.infer<typeof RefundPreviewSchema>;

const CancelForBuyerSchema = z.strictObject({
  ticket_ids: TicketIdsSchema,
  /** Of the quote; another version or refund is refused as `version_conflict`. */
  version: z.int(),
  refund: AmountSchema,
  trip_card_id: z.optional(IdSchema),
});

const byTheRules = [
  'not_found',
  'change_not_allowed',
  'refund_not_allowed',
  'check_in_closed',
  'version_conflict',
] as const satisfies readonly ErrorCode[];

export const staffRefundCalls = describeCalls(endpoints, {
  quoteStaffCancellation: {
    summary: 'Show what the buyer gets back by the fare’s rules if tickets are canceled; nothing is changed',
    body: z.strictObject({ ticket_ids: TicketIdsSchema }),
    response: CancellationQuoteSchema,
    errors: byTheRules,
  },
  cancelStaffTickets: {
    summary: 'Cancel tickets for the buyer as quoted, by the fare’s rules',
    body: CancelForBuyerSchema,
    response: StaffOrderSchema,
    errors: [...byTheRules, 'step_up_required'],
  },
  previewStaffRefund: {
    summary: 'Show what a refund beyond the fare’s rules would do; nothing is changed',
    body: PreviewRefundSchema,
    response: RefundPreviewSchema,
    errors: ['not_found', 'refund_refused'],
  },
  refundStaffOrder: {
    summary: 'Refund an order, or a part of it, beyond the fare’s rules, up to what one person may',
    body: RefundOrderSchema,
    response: StaffOrderSchema,
    errors: ['not_found', 'refund_refused', 'refund_needs_approval', 'step_up_required'],
  },
  askForRefund: {
    summary: 'Ask another person to approve a refund beyond the fare’s rules',
    body: RefundOrderSchema,
    response: StaffOrderSchema,
    errors: ['not_found', 'refund_refused'],
  },
  approveRefund: {
    summary: 'Make a refund that another person has asked for',
    response: StaffOrderSchema,
    errors: ['not_found', 'refund_refused', 'step_up_required'],
  },
  refuseRefund: {
    summary: 'End a request for a refund: an own one, or that of another person as a manager',
    response: StaffOrderSchema,
    errors: ['not_found', 'not_permitted'],
  },
});
