import { eq } from 'drizzle-orm';
import { api } from '#contract/api.ts';
import { customers } from '#server/database/schema/people.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import type { TestServer } from '#tests/setup/server.ts';
import { newMailbox, tokenMailedTo } from './mailed-links.ts';

type Overrides = Parameters<typeof createCustomer>[1];

/** The calls that change a customer's address. */
export function addressChangesOn(server: () => TestServer) {
  const post = (path: string, token: unknown, session?: string) =>
    server().request('POST', path, { body: { token }, ...(session ? { token: session } : {}) });

  /** A signed-in customer with a recent step-up. */
  async function owner(overrides: Overrides = {}) {
    const { context, clock, request } = server();
    const customer = await createCustomer(context, { email: newMailbox(), ...overrides });
    const token = await startSession(context, customer.id);
    return {
      customer,
      token,
      /** A second passes first, so that the mails of a mailbox have an order. */
      ask: (newEmail: unknown) => {
        clock.advance(1000);
        return request('POST', api.changeEmail.path, { token, body: { new_email: newEmail } });
      },
      resend: () => request('POST', api.resendEmailChange.path, { token }),
      stored: async () => {
        const [row] = await context.db.select().from(customers).where(eq(customers.id, customer.id));
        return row;
      },
    };
  }

  const verify = (token: unknown, session?: string) => post(api.verifyEmailChange.path, token, session);
  const undo = (token: unknown, session?: string) => post(api.undoEmailChange.path, token, session);
  const confirmToken = (email: string) => tokenMailedTo(server(), email, 'confirm-email-change');

  /** A customer whose address has just changed, and the link that reverts the change. */
  async function moved(overrides: Overrides = {}) {
    const who = await owner(overrides);
    const to = newMailbox();
    await who.ask(to);
    const reply = await verify(await confirmToken(to));
    if (reply.status !== 200) throw new Error('The address did not change.');
    return { ...who, to, back: await tokenMailedTo(server(), who.customer.email, 'email-changed') };
  }

  return { owner, verify, undo, confirmToken, moved };
}
