// @vitest-environment node
import { beforeAll, expect, test } from 'vitest';
import { decideBoarding } from '#domain/boarding/decide-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { createReference } from '#domain/orders/reference.ts';
import { seeded } from '#tests/bench/seeded.ts';
import { buildGateParty, buildGateSailing, buildGateTicket } from '#tests/factories/gate.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';
import { readScannedText } from '#web/staff/gate/device/check-signature.ts';

/** Of each of ten kinds, so that there are a thousand. */
const CODES = 100;
const DIGITS = '0123456789';
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const boat = buildGateSailing();
const tickets = Array.from({ length: CODES }, () => buildGateTicket());
const parties = tickets.map((ticket, index) =>
  buildGateParty(boat.id, { reference: `REF${index}`, tickets: [ticket] }),
);
const list = createGateList({ sailings: [boat], parties });
const own = createTicketSigner('k1');
const other = createTicketSigner('k1');
const unknown = createTicketSigner('k2');

const random = seeded(7);
const pick = (below: number) => Math.floor(random() * below);
const draw = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet.charAt(pick(alphabet.length))).join('');
const idOf = (index: number) => tickets[index]?.id ?? '';
const sign = (signer: typeof own, index: number) =>
  signer.signTicket({ ticketId: idOf(index), sailingId: boat.id });

/** What hand scanners, which read every kind of code, and cameras may see. */
const KINDS: Record<string, (index: number) => string> = {
  'a product (EAN-13)': () => createEan(draw(DIGITS, 12)),
  'a boarding pass (PDF417)': () =>
    `M1${draw(LETTERS, 9)}/ADA  E${draw(LETTERS, 6)} SEAOSLSK ${draw(DIGITS, 18)}`,
  'a train ticket (Aztec)': () => `#UT01${draw(DIGITS, 9)}${draw(BASE_32, 90)}`,
  'a parcel (Data Matrix)': () => `\u001d01${draw(DIGITS, 14)}21${draw(LETTERS, 8)}`,
  'a web page': () => `https://example.com/${draw(LETTERS, 12)}?ticket=${draw(DIGITS, 8)}`,
  'a wireless network': () => `WIFI:T:WPA;S:${draw(LETTERS, 8)};P:${draw(DIGITS, 10)};;`,
  'letters like those below a code': () => createReference(pick, ' '),
  'a code of this format with other bytes': () => `GW1${draw(BASE_32, 200)}`,
  'a ticket of this boat, signed by others': (index) => sign(index % 2 === 0 ? other : unknown, index),
  'a ticket of this boat with another letter': (index) => changeLetter(sign(own, index)),
};

function createEan(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function changeLetter(text: string): string {
  const at = 3 + pick(text.length - 3);
  const others = [...BASE_32].filter((letter) => letter !== text[at]);
  return text.slice(0, at) + others[pick(others.length)] + text.slice(at + 1);
}

async function answer(text: string): Promise<string> {
  const scan = await readScannedText(text, [own.key]);
  return decideBoarding(scan, { sailing: boat, now: Date.parse(boat.departs_at) }, list).answer;
}

beforeAll(async () => {
  expect(Object.keys(KINDS)).toHaveLength(10);
  expect(await answer(sign(own, 0))).toBe('go');
});

test.each(Object.entries(KINDS))('%s is stopped', async (_kind, create) => {
  const answers = new Set<string>();
  for (let index = 0; index < CODES; index += 1) answers.add(await answer(create(index)));
  expect([...answers]).toEqual(['stop']);
});
