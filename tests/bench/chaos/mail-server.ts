import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type MailServer = {
  url: string;
  /** Refuses every mail for now, as a server with a full queue does, or accepts again. */
  setRefusing(isRefusing: boolean): void;
  /** How often a mail was accepted, by recipient and Message-ID. */
  accepted: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/** A mail server on a free port that accepts all mails, except while it is set to refuse. */
export async function startMailServer(): Promise<MailServer> {
  const accepted = new Map<string, number>();
  let isRefusing = false;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isRefusing) {
          done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
          return;
        }
        const [, messageId = ''] = /^message-id:\s*(<[^>]+>)/im.exec(Buffer.concat(chunks).toString()) ?? [];
        const name = `${session.envelope.rcptTo[0]?.address} ${messageId}`;
        accepted.set(name, (accepted.get(name) ?? 0) + 1);
        done();
      });
    },
  });
  // A server process that was killed breaks off its connections.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    setRefusing(value) {
      isRefusing = value;
    },
    accepted,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
