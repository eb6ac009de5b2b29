import type { Context } from '../context.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import type { NotifyPassengers } from './import-timetable.ts';

/** Queues one mail per order: its sailing has new times or is canceled. */
export function notifyPassengers(context: Pick<Context, 'config' | 'clock'>): NotifyPassengers {
  return async (db, affected) => {
    for (const { orderId, why } of affected) {
      await queueOrderMail(
        db,
        context,
        why === 'sailing_cancelled' ? 'sailing-cancelled' : 'sailing-changed',
        orderId,
      );
    }
  };
}
