import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';

type StatusOf<Key extends 'payments' | 'refunds'> = StaffOrder['order'][Key][number]['status'];
type Change = StaffOrder['changes'][number];

export function nameRefund(status: StatusOf<'refunds'>, amount: string): string {
  switch (status) {
    case 'requested':
      return t('Refund of {amount} requested', { amount });
    case 'pending':
      return t('Refund of {amount} on its way', { amount });
    case 'succeeded':
      return t('Refunded {amount}', { amount });
    case 'failed':
      return t('Refund of {amount} failed', { amount });
    case 'awaiting_payout':
      return t('Refund of {amount} to be paid out by staff', { amount });
  }
}

export function namePayment(status: StatusOf<'payments'>, amount: string): string {
  switch (status) {
    case 'created':
      return t('Payment of {amount} begun', { amount });
    case 'requires_action':
      return t('Payment of {amount} waits for the buyer’s bank', { amount });
    case 'processing':
      return t('Payment of {amount} being confirmed', { amount });
    case 'succeeded':
      return t('Paid {amount}', { amount });
    case 'failed':
      return t('Payment of {amount} failed', { amount });
    case 'canceled':
      return t('Payment of {amount} given up', { amount });
  }
}

export const CHANGED_BY: Record<Change['actor'], Message> = {
  customer: message('By the signed-in customer'),
  guest: message('By the buyer, with a code by email'),
  operator: message('By the operator'),
};

export const CHANGE_TITLES: Record<Change['status'], Message> = {
  held: message('Change of the order begun'),
  awaiting_payment: message('Change of the order being paid'),
  done: message('Order changed'),
  expired: message('Change of the order not paid in time'),
  abandoned: message('Change of the order given up'),
  refused: message('Change of the order refused, its payment went back'),
};

export const SCAN_TITLES: Record<StaffOrder['scans'][number]['type'], Message> = {
  board: message('Went aboard'),
  leave: message('Left the boat'),
  undo: message('Scan taken back'),
};
