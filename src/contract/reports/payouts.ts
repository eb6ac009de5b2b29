/** `failed`: the bank returned it, also after it was paid; a later payout contains it. */
export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/**
 * What a payout consists of. `fee`: of the provider, other than those of charges. `failed_payout`: an earlier payout that the
 * bank returned. `other`: nothing that the ticket office does, such as a reserve.
 */
export const PAYOUT_ITEM_KINDS = ['charge', 'refund', 'dispute', 'fee', 'failed_payout', 'other'] as const;
