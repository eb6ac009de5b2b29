import { createTransport } from 'nodemailer';
import type { Sender } from './sender.ts';

export type OutgoingMail = {
  /** Local part of the Message-ID: the same mail sent twice is recognised as one by its receivers. */
  id: string;
  to: string;
  /** Shown beside the sender's address unless the sender has a name. */
  brandName: string;
  /** Where answers go; null: to the sender. */
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
  /** Set for images the HTML shows in place. */
  cid?: string;
};

export type Mailer = {
  /** @throws {MailRefusedError} when the server will never take it, and other errors when it may later */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

/** The receiving side said no for good: trying again cannot help. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

/**
 * Sends over SMTP. One mail goes to exactly one mailbox: the address is passed as an object and is the only
 * one in the envelope, so nothing in a name, an address or a subject can add another.
 */
export function createMailer(options: { smtpUrl: string; from: Sender; domain: string }): Mailer {
  const isOnThisMachine = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(options.smtpUrl).hostname);
  const transport = createTransport({
    url: options.smtpUrl,
    // A server on this machine shows a certificate nobody can check, and nobody listens between.
    ignoreTLS: isOnThisMachine,
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
        throw isFinal(error) ? new MailRefusedError('The mailbox was refused.') : error;
      }
    },
    close: () => transport.close(),
  };
}

/** A 5xx answer to the address itself. Other 5xx answers (a password, a full disk) are the operator's to mend. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return code === 'EENVELOPE' && (responseCode === undefined || Number(responseCode) >= 500);
}
