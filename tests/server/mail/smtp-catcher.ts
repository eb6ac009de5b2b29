import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type Caught = { sender: string; recipients: string[]; mail: Email };
export type SmtpCatcher = {
  url: string;
  caught: Caught[];
  /** Addresses that the server refuses permanently. */
  refused: Set<string>;
  /** Hosts of mailboxes for which the server does not answer. */
  hanging: Set<string>;
  close(): Promise<void>;
};

/**
 * A mail server that stores received mails with the recipients of their envelopes.
 * @param options needsTls: takes mail only after STARTTLS, with a self-signed certificate
 */
export async function startSmtpCatcher({ needsTls = false } = {}): Promise<SmtpCatcher> {
  const caught: Caught[] = [];
  const refused = new Set<string>();
  const hanging = new Set<string>();
  const unanswered: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: needsTls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    logger: false,
    onMailFrom(_address, session, done) {
      const error = Object.assign(new Error('Must issue a STARTTLS command first'), { responseCode: 530 });
      done(needsTls && !session.secure ? error : null);
    },
    onRcptTo(address, _session, done) {
      const error = Object.assign(new Error('No such mailbox'), { responseCode: 550 });
      const answer = () => done(refused.has(address.address) ? error : null);
      if (hanging.has(address.address.replace(/.*@/, ''))) unanswered.push(answer);
      else answer();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        const { mailFrom } = session.envelope;
        const sender = mailFrom === false ? '' : mailFrom.address;
        caught.push({ sender, recipients: session.envelope.rcptTo.map((each) => each.address), mail });
        done();
      });
    },
  });
  // A sender that is killed while it sends resets its connection.
  server.on('error', (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    caught,
    refused,
    hanging,
    close: () => {
      for (const answer of unanswered) answer();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
