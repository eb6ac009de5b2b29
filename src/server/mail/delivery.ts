import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { Mailer } from './mailer.ts';
import type { Mail } from './outbox.ts';

export type Outcome = 'sent' | 'refused' | 'delayed' | 'unavailable';

/** Mails that are being sent by this process. A mailbox whose host does not answer delays no other one. */
export type Delivery = {
  /** Sends a claimed mail. `slow`: it goes on without being waited for. */
  start(mail: Mail): Promise<Outcome | 'slow'>;
  /** Records mails as sent. */
  finish(mails: readonly Mail[]): Promise<void>;
  /** Hosts of mailboxes, in lower case, to which a mail has been under way for long. */
  slowHosts(): string[];
  /** No further mail is started until a slow one ends. */
  isFull(): boolean;
};

type Steps = {
  send: (mailer: Mailer, mail: Mail) => Promise<Outcome>;
  finish: Delivery['finish'];
};

/** A mail that takes longer is not waited for. Most servers answer within a second. */
const PATIENCE_MS = 2_000;
/** Each has a connection to the mail server. */
const MAX_SLOW = 30;

export function createDelivery(
  { log }: Pick<Context, 'log'>,
  mailer: Mailer,
  { send, finish }: Steps,
  patienceMs = PATIENCE_MS,
): Delivery {
  /** The hosts by id of the mail. */
  const slow = new Map<string, string>();
  async function finishLate(mail: Mail, sending: Promise<Outcome>): Promise<void> {
    try {
      if ((await sending) === 'sent') await finish([mail]);
    } catch (error) {
      // Its lease ends, and another run sends it.
      log.warn('mail not sent yet', { mail_id: mail.id, ...describeError(error) });
    }
  }

  return {
    finish,
    async start(mail) {
      const { promise: isSlow, resolve } = Promise.withResolvers<'slow'>();
      // Only the time at the mail server counts: tickets may take long to draw on a busy machine.
      const timed: Mailer = {
        ...mailer,
        async send(outgoing) {
          const timer = setTimeout(() => {
            slow.set(mail.id, hostOf(mail.toAddress));
            resolve('slow');
          }, patienceMs);
          try {
            await mailer.send(outgoing);
          } finally {
            clearTimeout(timer);
            slow.delete(mail.id);
          }
        },
      };
      const sending = send(timed, mail);
      const outcome = await Promise.race([sending, isSlow]);
      if (outcome === 'slow') void finishLate(mail, sending);
      return outcome;
    },
    slowHosts: () => [...new Set(slow.values())],
    isFull: () => slow.size >= MAX_SLOW,
  };
}

/** The part of an address after the @. */
function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
