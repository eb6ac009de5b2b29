import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { mails } from '#server/database/schema/system.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 4 });
});
afterAll(() => office.close());
beforeEach(() => office.reopen({ passengers: 4 }));

async function run(...args: string[]): Promise<string> {
  const { stdout } = await settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args)),
  );
  return stdout;
}

async function endDelays(): Promise<void> {
  const lines = (await run('exceptions', '--csv')).trim().split('\n').slice(1);
  for (const line of lines) await run('undo', line.split(',')[0] ?? '');
}

async function buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<string> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order.id;
}

const out = (index: number) => office.ferry.outward[index] ?? '';
const back = (index: number) => office.ferry.back[index] ?? '';

/** Since the order was confirmed, oldest first. */
async function listMails(orderId: string) {
  const rows = await office.context.db
    .select()
    .from(mails)
    .where(eq(mails.orderId, orderId))
    .orderBy(mails.insertedAt);
  return rows.filter(({ kind }) => kind !== 'order-confirmed');
}

async function listKinds(orderId: string): Promise<string[]> {
  return (await listMails(orderId)).map(({ kind }) => kind);
}

async function delay(sailingId: string, minutes: number): Promise<string> {
  office.clock.advance(60_000);
  return run('delay', sailingId, String(minutes));
}

async function readLastMail(orderId: string): Promise<string> {
  const mail = (await listMails(orderId)).at(-1);
  if (!mail) throw new Error('There is no mail.');
  return (await prepareMail(office.context, { ...mail, subject: null }, demoSettings)).content.text;
}

describe('passengers of a late sailing', () => {
  it('are told a delay of 15 minutes, when it grows by as much, and when it is over', async () => {
    const orderId = await buy();
    expect(await delay(out(0), 14)).toContain('Orders written to: 0.');
    expect(await delay(out(0), 20)).toContain('Orders written to: 1.');
    expect(await readLastMail(orderId)).toContain('Departs: 8:20 AM PDT instead of 8:00 AM PDT');
    await delay(out(0), 34);
    expect(await listKinds(orderId)).toEqual(['sailing-late']);
    await delay(out(0), 50);
    expect(await listKinds(orderId)).toEqual(['sailing-late', 'sailing-late']);
    expect(await readLastMail(orderId)).toContain('This sailing is 50 min late.');
    await endDelays();
    expect((await listKinds(orderId)).at(-1)).toBe('sailing-on-time');
    const text = await readLastMail(orderId);
    expect(text).toContain('Your sailing is on time again');
    expect(text).toContain('Departs: 8:00 AM PDT, ');
    expect(text).not.toContain('min late');
  });

  it('are told when it leaves much earlier than they know', async () => {
    const orderId = await buy();
    await delay(out(0), 60);
    await delay(out(0), 20);
    expect(await listKinds(orderId)).toEqual(['sailing-late', 'sailing-late']);
    expect(await readLastMail(orderId)).toContain('8:20 AM PDT instead of 8:00 AM PDT');
  });

  it('are told from as many minutes on as the operator’s settings say', async () => {
    await storeWebSettings(office.context, { delay_notice_minutes: 5 });
    const orderId = await buy();
    await delay(out(0), 4);
    await delay(out(0), 5);
    await delay(out(0), 9);
    await delay(out(0), 10);
    expect(await listKinds(orderId)).toEqual(['sailing-late', 'sailing-late']);
  });

  it('get one mail of a delay that also gives them a choice, and another one when that grows', async () => {
    const orderId = await buy();
    await delay(out(0), 100);
    expect(await listKinds(orderId)).toHaveLength(1);
    await delay(out(0), 130);
    expect((await listKinds(orderId)).slice(1)).toEqual(['sailing-late']);
    expect(await readLastMail(orderId)).toContain('Choose what to do');
  });

  it('get only the mail about the cancellation of a late sailing', async () => {
    const orderId = await buy();
    await delay(out(0), 20);
    await run('cancel', out(0));
    expect(await listKinds(orderId)).toEqual(['sailing-late', 'sailing-canceled']);
  });

  it('are told nothing of a boat that has left', async () => {
    const orderId = await buy();
    await delay(out(0), 20);
    office.clock.set('2026-06-02T15:30:00.000Z');
    await delay(out(0), 5);
    expect(await listKinds(orderId)).toEqual(['sailing-late']);
  });

  it('are not told that their other sailing runs as planned where it is late', async () => {
    const orderId = await buy({ legs: [out(0), back(1)] });
    await delay(back(1), 20);
    await run('cancel', out(0));
    const text = await readLastMail(orderId);
    expect(text).toContain('Your other sailing, whose tickets stay valid:');
    expect(text).not.toContain('runs as planned');
    expect(text).toContain('This sailing is 20 min late.');
  });
});

describe('passengers with places kept on a sailing that becomes late', () => {
  it('are told its delay, when it grows by as much, and when it is over', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    expect(await delay(out(1), 14)).toContain('Orders written to: 0.');
    expect(await delay(out(1), 20)).toContain('Orders written to: 1.');
    const late = await readLastMail(orderId);
    expect(late).toContain('The sailing we keep for you is late');
    expect(late).toContain('Departs: 10:20 AM PDT instead of 10:00 AM PDT');
    expect(late).toContain('We keep places for you on the sailing below until');
    await delay(out(1), 30);
    await delay(out(1), 35);
    expect(await readLastMail(orderId)).toContain('Departs: 10:35 AM PDT instead of 10:00 AM PDT');
    await delay(out(1), 0);
    expect(await readLastMail(orderId)).toContain('The sailing we keep for you has other times');
    expect(await readLastMail(orderId)).toContain('Departs: 10:00 AM PDT, ');
    expect((await listKinds(orderId)).slice(1)).toEqual(Array(3).fill('sailing-kept-moved'));
  });

  it('are told as those who bought it from as many minutes on as the operator’s settings say', async () => {
    await storeWebSettings(office.context, { delay_notice_minutes: 5 });
    const orderId = await buy();
    await buy({ legs: [out(1)] });
    await run('cancel', out(0));
    await delay(out(1), 4);
    expect(await delay(out(1), 5)).toContain('Orders written to: 2.');
    expect((await listKinds(orderId)).slice(1)).toEqual(['sailing-kept-moved']);
  });

  it('are told nothing once they have chosen the refund', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    await office.context.db.update(rebookingOffers).set({ status: 'refunded' });
    await delay(out(1), 20);
    expect(await listKinds(orderId)).toEqual(['sailing-canceled']);
  });

  it('get one mail of a delay of both the kept sailing and their other one', async () => {
    const orderId = await buy({ legs: [out(0), back(1)] });
    await run('cancel', out(0));
    await run('delay', out(1), '20');
    await run('delay', back(1), '20');
    expect((await listKinds(orderId)).slice(1)).toEqual(['sailing-kept-moved', 'sailing-late']);
    expect(await readLastMail(orderId)).toContain('10:20 AM PDT instead of 10:00 AM PDT');
  });
});
