import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import { registerCardJobs } from '#server/payment-cards/card-jobs.ts';
import { must, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import type { RequestOptions, TestReply } from '#tests/setup/server.ts';

export type CardOffice = Awaited<ReturnType<typeof openCardOffice>>;
export type Wallet = Awaited<ReturnType<CardOffice['openWallet']>>;

/** A ticket office with the jobs of saved cards, where customers save cards like browsers do. */
export async function openCardOffice() {
  const office = await openOffice();
  await registerCardJobs(office.context);
  const { stripe } = office;
  return {
    ...office,
    /** A signed-in customer and their actions on cards. */
    async openWallet() {
      const customer = await createCustomer(office.context);
      let token = await startSession(office.context, customer.id);
      const request = (method: string, path: string, options: RequestOptions = {}): Promise<TestReply> =>
        office.request(method, path, { token, ...options });
      const startSetup = async (): Promise<{ client_secret: string; setup_intent_id: string }> =>
        must(await request('POST', api.startCardSetup.path, { body: {} }));
      const addSetup = (setupIntentId: string, more: object = {}): Promise<TestReply> =>
        request('POST', api.listPaymentCards.path, { body: { setup_intent_id: setupIntentId, ...more } });
      /** A setup that the browser finished with a card. */
      const finishSetup = async (card = 'pm_card_visa'): Promise<string> => {
        const { setup_intent_id: id } = await startSetup();
        await stripe.setupIntents.confirm(id, { payment_method: card });
        return id;
      };
      return {
        customer,
        get token() {
          return token;
        },
        /** Signs in again, after the clock was advanced beyond the session's lifetime. */
        async signInAgain() {
          token = await startSession(office.context, customer.id);
        },
        request,
        startSetup,
        addSetup,
        finishSetup,
        async add(card?: string, more: object = {}): Promise<PaymentCard> {
          return must(await addSetup(await finishSetup(card), more));
        },
        async list(page?: number): Promise<PaymentCard[]> {
          return must(await request('GET', `${api.listPaymentCards.path}${page ? `?page=${page}` : ''}`));
        },
        makePrimary: (id: string) => request('POST', fillPath(api.makeCardPrimary.path, { id })),
        remove: (id: string) => request('DELETE', fillPath(api.removePaymentCard.path, { id })),
        /** The customer's id at the provider, and their cards there. */
        async atProvider() {
          const [holder] = await office.database.store.query<{ reference: string }>(
            'select provider_reference as reference from card_holders where customer_id = $1',
            [customer.id],
          );
          const reference = holder?.reference ?? '';
          const providerCustomer = await stripe.customers.retrieve(reference);
          if (providerCustomer.deleted) throw new Error('The customer is gone at the provider.');
          const { data: methods } = await stripe.customers.listPaymentMethods(reference);
          return { reference, methods, primary: providerCustomer.invoice_settings.default_payment_method };
        },
      };
    },
  };
}
