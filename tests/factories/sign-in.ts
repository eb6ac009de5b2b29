import { api } from '#contract/api.ts';
import type { TestReply, TestServer } from '#tests/setup/server.ts';

let networks = 0;

/** An address in a new network, so that tests do not share rate limits. */
export function newAddress(): string {
  networks += 1;
  return `10.${networks >> 8}.${networks & 255}.1`;
}

/** The status and code of an error response. */
export function refusalOf(reply: TestReply): [number, string | undefined] {
  return [reply.status, reply.body.errors[0]?.code];
}

/** Requests a mailed code and returns the handle of the challenge. */
export async function askForCode(
  server: Pick<TestServer, 'request'>,
  email: string,
  from = newAddress(),
): Promise<string> {
  const reply = await server.request('POST', api.signIn.path, { body: { email }, from });
  if (reply.status !== 200) throw new Error(`No code was mailed: ${JSON.stringify(reply.body)}`);
  return reply.body.data.temp;
}

/** Whether a token opens the account. */
export async function isAlive(server: Pick<TestServer, 'request'>, token: string): Promise<boolean> {
  return (await server.request('GET', api.getDetails.path, { token })).status === 200;
}

/** The number of a customer's active sessions. */
export async function countSessions(
  server: Pick<TestServer, 'database'>,
  customerId: string,
): Promise<number> {
  const [row] = await server.database.store.query<{ count: number }>(
    'select count(*)::int as count from sessions where customer_id = $1 and revoked_at is null',
    [customerId],
  );
  return row?.count ?? 0;
}
