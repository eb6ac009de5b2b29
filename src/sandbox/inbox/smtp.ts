import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { createStoredMail, type StoredMail } from './messages.ts';

export type Smtp = { url: string; close(): Promise<void> };

const largestMail = 10_000_000;

/**
 * Listens for mail on a free port of this machine. A mail is acknowledged once `keep` has stored it, so an acknowledged
 * mail is never lost.
 */
export async function listenForMail(
  clock: () => Date,
  keep: (mail: StoredMail) => Promise<void>,
): Promise<Smtp> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: largestMail,
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      readAll(stream)
        .then((raw) => keep(createStoredMail(raw, recipients, clock())))
        .then(
          () => done(),
          (error: unknown) =>
            done(error instanceof Error ? error : new Error('The mail could not be stored.')),
        );
    },
  });
  // A client may disconnect at any time.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
