import type { customers } from '#server/database/schema/people.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import type { TestReply, TestServer } from '#tests/setup/server.ts';

/** A signed-in customer with a recent step-up. */
export type Owner = {
  customer: typeof customers.$inferSelect;
  token: string;
  call(method: string, path: string, body?: unknown): Promise<TestReply>;
  /** The events that security mails reported to this customer, sorted. */
  told(): Promise<(string | undefined)[]>;
  /** The entries of the list of security events, sorted. */
  events(): Promise<string[]>;
};

export async function openOwner(
  server: TestServer,
  overrides: Parameters<typeof createCustomer>[1] = {},
  session: { isFresh?: boolean } = {},
): Promise<Owner> {
  const customer = await createCustomer(server.context, overrides);
  const token = await startSession(server.context, customer.id, session);
  return {
    customer,
    token,
    call: (method, path, body) => server.request(method, path, { token, body }),
    async told() {
      const mails = await mailsTo(server.context, customer.email);
      return mails.map(({ data }) => data.event).sort();
    },
    async events() {
      const rows = await server.database.store.query<{ kind: string }>(
        'select kind from security_events where customer_id = $1 order by kind',
        [customer.id],
      );
      return rows.map(({ kind }) => kind);
    },
  };
}
