import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { Mailer } from './mailer.ts';

export type Outcome = 'sent' | 'not_claimed' | 'refused' | 'delayed' | 'unavailable';

/** Mails that are being sent by this process. A mailbox whose host does not answer delays no other one. */
export type Delivery = {
  /** Sends a mail. `slow`: it goes on without being waited for. */
  start(id: string): Promise<Outcome | 'slow'>;
  /** Hosts of mailboxes, in lower case, to which a mail has been under way for long. */
  slowHosts(): string[];
  /** No further mail is started until a slow one ends. */
  isFull(): boolean;
};

type Send = (mailer: Mailer, id: string) => Promise<Outcome>;

/** A mail that takes longer is not waited for. Most servers answer within a second. */
const PATIENCE_MS = 2_000;
/** Each has a connection to the mail server. */
const MAX_SLOW = 30;

export function createDelivery(
  { log }: Pick<Context, 'log'>,
  mailer: Mailer,
  send: Send,
  patienceMs = PATIENCE_MS,
): Delivery {
  /** The hosts by id of the mail. */
  const slow = new Map<string, string>();
  return {
    async start(id) {
      const { promise: isSlow, resolve } = Promise.withResolvers<'slow'>();
      // Only the time at the mail server counts: tickets may take long to draw on a busy machine.
      const timed: Mailer = {
        ...mailer,
        async send(mail) {
          const timer = setTimeout(() => {
            slow.set(id, hostOf(mail.to));
            resolve('slow');
          }, patienceMs);
          try {
            await mailer.send(mail);
          } finally {
            clearTimeout(timer);
            slow.delete(id);
          }
        },
      };
      const sending = send(timed, id);
      const outcome = await Promise.race([sending, isSlow]);
      // Its lease ends, and another run sends it.
      if (outcome === 'slow')
        void sending.catch((error) =>
          log.warn('mail not sent yet', { mail_id: id, ...describeError(error) }),
        );
      return outcome;
    },
    slowHosts: () => [...new Set(slow.values())],
    isFull: () => slow.size >= MAX_SLOW,
  };
}

/** The part of an address after the @. */
export function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
