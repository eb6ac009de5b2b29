import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as cancellations from '#contract/orders/cancel/endpoints.ts';
import type { CreatedOrder } from '#contract/orders/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { newId } from '#server/core/ids.ts';
import { lastCode } from '#tests/factories/account-mails.ts';
import { codeOf, contact, must, type Office, openOffice, termsVersion } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';

const HOUR = 3_600_000;

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

/** A paid order of a guest, which leaves in two days, as its own browser got it. */
const buy = (): Promise<CreatedOrder> =>
  office.takeOrder({ adults: 2, promo: 'FREE', legs: [office.ferry.outward[2] ?? ''] });

const change = ({ id }: { id: string }, body: object) =>
  office.request('PATCH', `/api/orders/${id}`, { body });
const withEmail = (email: string) => ({ contact: { ...contact, email } });

const mailCode = ({ id }: { id: string }, from?: string) =>
  office.request('POST', fillPath(cancellations.mailCancellationCode.path, { id }), from ? { from } : {});

async function readCode(order: { id: string }) {
  await office.database.store.query(`delete from mails where kind = 'order-code'`);
  const { temp } = must(await mailCode(order));
  const { code } = await lastCode(office.context, contact.email);
  return { temp, code };
}
const prove = ({ id }: { id: string }, proof: object, token?: string) =>
  office.request('POST', fillPath(cancellations.proveBuyer.path, { id }), {
    body: { proof },
    ...(token ? { token } : {}),
  });

async function listMails(kind: string): Promise<string[]> {
  const rows = await office.database.store.query<{ to_address: string }>(
    'select to_address from mails where kind = $1',
    [kind],
  );
  return rows.map(({ to_address }) => to_address);
}

describe('a reader of an order’s link', () => {
  test('gets nothing from the order that permits a change, neither of the hold nor of the buyer', async () => {
    const unpaid = await office.takeOrder();
    expect(unpaid.buyer_secret).toMatch(/^[\w-]{43}$/);
    const read = await office.readOrder(unpaid.id);
    expect(Object.keys(read.hold)).toEqual(['expires_at', 'expires_at_max', 'can_extend']);
    const [hold] = await office.database.store.query<{ id: string }>('select id from holds');
    const seen = JSON.stringify([read, await mailCode(await buy()).then(({ body }) => body)]);
    for (const secret of [hold?.id ?? '', unpaid.buyer_secret]) expect(seen).not.toContain(secret);
  });

  test.each([
    ['contact', withEmail('mallory@example.com')],
    ['contact, as it is', { contact }],
    ['names', { traveler_names: ['Mallory'] }],
    ['plate', { plate: 'MAL 1' }],
    ['assistance', { assistance: [] }],
  ])('changes no %s, of paid and unpaid orders, and learns nothing from the refusal', async (_, body) => {
    const other = await buy();
    for (const order of [await office.takeOrder({ adults: 2 }), await buy()]) {
      const before = await office.readOrder(order.id);
      const refused = await change(order, body);
      expect([refused.status, codeOf(refused)]).toEqual([422, 'change_not_allowed']);
      const secrets = [other.buyer_secret, newId('hld'), ''];
      for (const buyer_secret of secrets) {
        expect((await change(order, { ...body, buyer_secret })).body).toEqual(refused.body);
      }
      expect(await office.readOrder(order.id)).toEqual(before);
    }
  });

  test('does not cancel an unpaid order; its buyer does', async () => {
    const order = await office.takeOrder();
    const reply = await office.request('POST', `/api/orders/${order.id}/cancel`);
    expect(codeOf(reply)).toBe('change_not_allowed');
    expect((await office.readOrder(order.id)).status).toBe('held');
    expect(must(await office.cancelOrder(order)).status).toBe('canceled');
  });

  test('gets no secret by ordering a paid hold again', async () => {
    const { quote, hold } = await office.takeHold({ promo: 'FREE' });
    const order = must(await office.order(hold.id, quote.id));
    const again = must(await office.order(hold.id, quote.id));
    expect([again.id, again.buyer_secret]).toEqual([order.id, undefined]);
  });
});

describe('the browser that made an order', () => {
  test('corrects its address for a day, of which the previous address gets a mail without the new one', async () => {
    const order = await buy();
    const { buyer_secret } = order;
    must(await change(order, { ...withEmail('ada@example.org'), buyer_secret }));
    expect(await listMails('order-address-changed')).toEqual([contact.email]);
    must(await change(order, { ...withEmail('ada@example.org'), traveler_names: ['Bo'], buyer_secret }));
    expect(await listMails('order-address-changed')).toHaveLength(1);
    office.clock.advance(25 * HOUR);
    const late = await change(order, { ...withEmail(contact.email), buyer_secret });
    expect([codeOf(late), late.body.errors[0].field]).toEqual(['change_not_allowed', 'contact.email']);
    must(await change(order, { traveler_names: ['Cy'], buyer_secret }));
  });

  test('corrects the address of an unpaid order, to which nothing was mailed yet', async () => {
    const order = await office.takeOrder();
    must(await change(order, { ...withEmail('ada@example.org'), buyer_secret: order.buyer_secret }));
    expect(await listMails('order-address-changed')).toEqual([]);
    expect((await office.readOrder(order.id)).contact.email).toBe('a•••@example.org');
  });

  test('gets no secret for the order of a customer, who is mailed a changed address too', async () => {
    const { id } = await createCustomer(office.context);
    const token = await startSession(office.context, id);
    const { quote, hold } = await office.takeHold({ promo: 'FREE' });
    const body = { hold_id: hold.id, quote_id: quote.id, contact, terms_version: termsVersion };
    const idempotencyKey = randomUUID();
    const order = must(await office.request('POST', '/api/orders', { body, idempotencyKey, token }));
    expect(order.buyer_secret).toBeUndefined();
    const path = `/api/orders/${order.id}`;
    must(await office.request('PATCH', path, { body: withEmail('grace@example.org'), token }));
    expect(await listMails('order-address-changed')).toEqual([contact.email]);
  });
});

describe('a reader who types the mailed code', () => {
  test('sees contact and assistance, and changes the order', async () => {
    const order = await buy();
    const known = must(await prove(order, await readCode(order)));
    expect(known).toEqual({ buyer_secret: expect.any(String), contact, assistance: [] });
    const names = { traveler_names: ['Ada', 'Bo'], buyer_secret: known.buyer_secret };
    expect(must(await change(order, names)).traveler_names).toEqual(['Ada', 'Bo']);
    expect(known.buyer_secret).not.toBe(order.buyer_secret);
  });

  test('no longer changes the order once it has another address', async () => {
    const order = await buy();
    const { buyer_secret } = must(await prove(order, await readCode(order)));
    must(await change(order, { ...withEmail('ada@example.org'), buyer_secret: order.buyer_secret }));
    expect(codeOf(await change(order, { traveler_names: ['Mallory'], buyer_secret }))).toBe(
      'change_not_allowed',
    );
  });

  test('is refused with a wrong code, that of another order, a used one, or for an order of a customer', async () => {
    const order = await buy();
    const other = await buy();
    const proof = await readCode(order);
    const wrong = { ...proof, code: proof.code === '000000' ? '000001' : '000000' };
    expect(codeOf(await prove(order, wrong))).toBe('invalid_code');
    expect(codeOf(await prove(other, proof))).toBe('invalid_code');
    expect(codeOf(await prove(order, { ...proof, code: 7 }))).toBe('invalid_input');
    expect(codeOf(await prove({ id: newId('ord') }, proof))).toBe('not_found');
    must(await prove(order, proof));
    expect(codeOf(await prove(order, proof))).toBe('attempt_expired');
    const { id } = await createCustomer(office.context);
    await office.database.store.query('update orders set customer_id = $1', [id]);
    expect((await prove(order, proof)).status).toBe(401);
    const stranger = await startSession(office.context, (await createCustomer(office.context)).id);
    expect((await prove(order, proof, stranger)).status).toBe(404);
    expect(codeOf(await prove(order, proof, await startSession(office.context, id)))).toBe(
      'change_not_allowed',
    );
  });
});

describe('codes for changes and refunds', () => {
  test('are left after strangers asked for sign-in mails to the same address', async () => {
    const order = await buy();
    const signIn = (from: string) =>
      office.request('POST', '/api/customers/sessions/sign_in', { body: { email: contact.email }, from });
    const replies = [];
    for (let time = 0; time < 6; time += 1) replies.push(codeOf(await signIn(`198.51.${time}.1`)));
    expect(replies.at(-1)).toBe('rate_limited');
    expect(codeOf(await mailCode(order))).toBe('success');
  });

  test('reach each of many guests behind one address', async () => {
    const order = await buy();
    const others = Array.from({ length: 24 }, (_, guest) => ({
      id: newId('ord'),
      email: `g${guest}@example.com`,
    }));
    for (const { id, email } of others) {
      await office.database.store.query(
        `with h as (
           insert into holds select (jsonb_populate_record(h, jsonb_build_object('id', 'hld' || substr($1, 4)))).*
           from holds h where id = (select hold_id from orders where id = $3) returning id
         )
         insert into orders select (jsonb_populate_record(o, jsonb_build_object(
           'id', $1::text, 'hold_id', 'hld' || substr($1, 4), 'contact_email', $2::text, 'reference', substr($1, 5, 9)
         ))).* from orders o where id = $3`,
        [id, email, order.id],
      );
    }
    for (const each of others) expect(codeOf(await mailCode(each, '192.0.2.1'))).toBe('success');
  });

  test('are limited per order to five an hour and twenty a day', async () => {
    const order = await buy();
    const ask = async () => codeOf(await mailCode(order));
    const answers: string[] = [];
    for (let hour = 0; hour < 5; hour += 1) {
      for (let time = 0; time < 5; time += 1) answers.push(await ask());
      expect(await ask()).toBe('rate_limited');
      office.clock.advance(HOUR);
    }
    expect(answers.filter((answer) => answer === 'success')).toHaveLength(20);
    expect(codeOf(await mailCode(await buy()))).toBe('success');
  });
});
