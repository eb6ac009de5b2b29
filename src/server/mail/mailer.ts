import { createTransport } from 'nodemailer';
import type { Sender } from './sender.ts';

type OutgoingMail = {
  /** Local part of the Message-ID, by which recipients recognize a duplicate. */
  id: string;
  to: string;
  /** Shown beside the sender's address unless the sender has a name. */
  brandName: string;
  /** Address for replies; null: the sender. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  attachments: readonly MailAttachment[];
};
export type MailAttachment = {
  filename: string;
  contentType: string;
  content: Buffer;
  /** Set for inline images. */
  cid?: string;
};

export type Mailer = {
  /** @throws {MailRefusedError} if the server refuses it permanently, and other errors for temporary failures */
  send(mail: OutgoingMail): Promise<void>;
  /** Connects and signs in to the mail server. @throws if that fails */
  verify(): Promise<void>;
  close(): void;
};

/** Mails that are sent at once, and others whose mailbox's host does not answer. */
const MAX_CONNECTIONS = 50;
/** Connections stay open for the mails of the next seconds. */
const IDLE_MS = 10_000;

/** The receiving server refused the mail permanently. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

/**
 * Creates a mailer that sends over SMTP. Each mail has exactly one recipient: the address is passed as an object and is
 * the only one in the envelope, so that a name, an address or a subject cannot add another.
 */
export function createMailer(options: { smtpUrl: string; from: Sender; domain: string }): Mailer {
  const isOnThisMachine = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(options.smtpUrl).hostname);
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    idleTimeout: IDLE_MS,
    // A server on this machine may have a self-signed certificate: the connection does not leave the machine.
    tls: { rejectUnauthorized: !isOnThisMachine },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail({
          messageId: `<${mail.id}@${options.domain}>`,
          from: { name: options.from.name ?? mail.brandName, address: options.from.address },
          ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          to: { name: '', address: mail.to },
          envelope: { from: options.from.address, to: [mail.to] },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          attachments: mail.attachments.map((attachment) => ({
            ...attachment,
            contentDisposition: attachment.cid === undefined ? ('attachment' as const) : ('inline' as const),
          })),
        });
      } catch (error) {
        throw isPermanentRefusal(error) ? new MailRefusedError('The mailbox was refused.') : error;
      }
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/**
 * A 5xx response to the recipient's address. Other 5xx responses (a password, a full disk) are the operator's to fix.
 */
function isPermanentRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return code === 'EENVELOPE' && (responseCode === undefined || Number(responseCode) >= 500);
}

/** Whether the mail server takes no mail at all, and not only this one: connecting or signing in failed. */
export function isServerUnavailable(error: unknown): boolean {
  const { code, timeoutType } = error as { code?: unknown; timeoutType?: unknown };
  if (code === 'ETIMEDOUT') return timeoutType !== 'SOCKET_TIMEOUT';
  return typeof code === 'string' && ['ECONNECTION', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH'].includes(code);
}
