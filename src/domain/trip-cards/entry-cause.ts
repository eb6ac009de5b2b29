/** Why the balance of a trip card changed, with what the sentence about it names. */
export type EntryCause =
  | { code: 'tickets' | 'refund'; reference: string }
  /** `digits`: the last four of the other card. */
  | { code: 'transfer_to' | 'transfer_from'; digits: string }
  | { code: 'disputed' | 'dispute_ended' | 'disputed_debt'; source: 'top_up' | 'refund' }
  | {
      code:
        | 'issued'
        | 'gate'
        | 'gate_undone'
        | 'fare_debt'
        | 'top_up'
        | 'auto_top_up'
        | 'sale_taken_back'
        | 'pass_bought'
        | 'pass_renewed';
    };
