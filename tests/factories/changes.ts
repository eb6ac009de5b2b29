import { api } from '#contract/api.ts';
import type { ChangeQuote } from '#contract/orders/change/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { lastCode } from './account-mails.ts';
import { contact, must, type Office } from './buyer.ts';

type Bought = TestReply['body'];
type Party = { adults?: number; children?: number; vehicle?: object | null; bicycles?: number };
export type RequestedJourney = Party & { direction: 'out' | 'back'; to: string[] };

/** A buyer's steps that change a paid order. */
export function changesOf(office: Office) {
  const send = (
    path: string,
    order: Bought,
    options: { body?: object; token?: string; changeId?: string } = {},
  ) =>
    office.request(
      'POST',
      fillPath(path as typeof api.getChange.path, { id: order.id, change_id: options.changeId ?? '' }),
      {
        ...(options.body ? { body: options.body } : {}),
        ...(options.token ? { token: options.token } : {}),
        idempotencyKey: crypto.randomUUID(),
      },
    );
  const requestOf = (journeys: readonly RequestedJourney[], plate?: string) => ({
    journeys: journeys.map(({ direction, to, adults = 0, children = 0, vehicle = null, bicycles = 0 }) => ({
      direction,
      sailing_ids: to,
      passengers: [
        { type: 'adult', count: adults },
        { type: 'child', count: children },
      ],
      ...{ vehicle, bicycles },
    })),
    ...(plate ? { plate } : {}),
  });
  const quote = (order: Bought, journeys: readonly RequestedJourney[], token?: string) =>
    send(api.quoteChange.path, order, { body: requestOf(journeys), ...(token ? { token } : {}) });
  const mailCode = async (order: Bought): Promise<{ temp: string; code: string }> => {
    // Mails of one instant have no order.
    await office.database.store.query(`delete from mails where kind = 'order-code'`);
    const { temp } = must(await send(api.mailCancellationCode.path, order));
    const { code } = await lastCode(office.context, contact.email);
    return { temp, code };
  };
  return {
    quote,
    mailCode,
    /** A paid order of a guest. */
    async buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<Bought> {
      const { order, intent } = await office.takePayment(options);
      await office.confirmWith(intent);
      await office.provider.deliverNow();
      return office.readOrder(order.id);
    },
    /** Changes an order as quoted, with a mailed code or as the signed-in owner. */
    async change(
      order: Bought,
      journeys: readonly RequestedJourney[],
      {
        token,
        plate,
        ...more
      }: {
        token?: string;
        plate?: string;
        version?: number;
        difference?: number;
        proof?: object | undefined;
      } = {},
    ): Promise<TestReply> {
      const request = requestOf(journeys, plate);
      const quoted = must(
        await send(api.quoteChange.path, order, { body: request, ...(token ? { token } : {}) }),
      );
      const { version, difference } = quoted as ChangeQuote;
      const proof = token ? {} : { proof: await mailCode(order) };
      const body = { ...request, version, difference, ...proof, ...more };
      return send(api.createChange.path, order, { body, ...(token ? { token } : {}) });
    },
    /** Quotes a change as the signed-in owner. @returns makes it */
    async prepareChange(
      order: Bought,
      journeys: readonly RequestedJourney[],
      token: string,
    ): Promise<() => Promise<TestReply>> {
      const { version, difference } = must(await quote(order, journeys, token)) as ChangeQuote;
      const body = { ...requestOf(journeys), version, difference };
      return () => send(api.createChange.path, order, { body, token });
    },
    startPayment: (order: Bought, change: Bought, body: object = { method: 'card' }, token?: string) =>
      send(api.startChangePayment.path, order, { body, changeId: change.id, ...(token ? { token } : {}) }),
    readChange: async (order: Bought, change: Bought, token?: string) =>
      must(
        await office.request('GET', fillPath(api.getChange.path, { id: order.id, change_id: change.id }), {
          ...(token ? { token } : {}),
        }),
      ),
    abandon: (order: Bought, change: Bought, token?: string) =>
      office.request('DELETE', fillPath(api.abandonChange.path, { id: order.id, change_id: change.id }), {
        ...(token ? { token } : {}),
      }),
  };
}

/** The provider's id of a started payment. */
export function intentOf(payment: { client_secret?: string }): string {
  return payment.client_secret?.split('_secret')[0] ?? '';
}
