import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { readConfig } from '#server/config.ts';
import { createVault } from '#server/core/vault.ts';
import { buildCalendarFile } from '#server/documents/calendar-file.ts';
import { listMissingBlocks } from '#server/documents/pdf-fonts.ts';
import { qrPng } from '#server/documents/qr-code.ts';
import { buildStatementPdf } from '#server/documents/statement-pdf.ts';
import { buildTicketsPdf } from '#server/documents/tickets-pdf.ts';
import { findConfirmedDocument, type TravelDocument } from '#server/documents/travel-document.ts';
import { createTicketSigner } from '#server/orders/tickets/keys.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';
import { findBreaches, listContent, readStructure } from './pdf-structure.ts';

const clock = { now: () => new Date('2026-06-01T15:00:00Z') };
const config = readConfig({});
const hasPdfinfo = !spawnSync('pdfinfo', ['-v']).error;
const hasPdftotext = !spawnSync('pdftotext', ['-v']).error;
const hasReader = ['zbarimg', 'pdftoppm'].every((tool) => !spawnSync(tool, ['--version']).error);
let database: TestDatabase;
let document: TravelDocument;

beforeAll(async () => {
  database = await openTestDatabase();
  const vault = createVault('a secret of the tests, thirty-two or more');
  const ticketSigner = await createTicketSigner({ db: database.db, vault, clock });
  const order = await buildConfirmedOrder({ db: database.db, clock, ticketSigner });
  const stored = await findConfirmedDocument(database.db, order.id);
  if (!stored) throw new Error('The order is not there.');
  document = stored;
});
afterAll(() => database.close());

describe('tickets as PDF', () => {
  it('omit contact and terms if the operator has set none', async () => {
    const bare = await buildTicketsPdf(document, defaultWebSettings);
    const full = await buildTicketsPdf(document, {
      ...defaultWebSettings,
      terms: demoSettings.terms,
      contact: demoSettings.contact,
    });
    expect(bare.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bare.length).toBeLessThan(full.length);
  });

  it('have one page each and the rules on a last one; a single ticket has its rules below it', async () => {
    const drawn = vi.spyOn(PDFDocument.prototype, 'text');
    const listPages = async (tickets: TravelDocument['tickets']) => {
      drawn.mockClear();
      await buildTicketsPdf({ ...document, tickets }, demoSettings);
      const texts = drawn.mock.calls.map(([text]) => String(text)).join('\n');
      return texts.split(`${demoSettings.brand.name}\n`).slice(1);
    };
    const fare = `${document.order.fareClassName} fare`;
    const [ticket] = document.tickets;
    if (!ticket) throw new Error('The order has no ticket.');
    const ofOne = await listPages([ticket]);
    expect(ofOne.map((page) => page.includes(fare))).toEqual([true]);
    const ofEight = await listPages(Array(8).fill(ticket));
    expect(ofEight.map((page) => page.includes(fare))).toEqual([...Array(8).fill(false), true]);
    expect(ofEight[0]).toContain('The rules of this ticket are on the last page.');
    drawn.mockRestore();
  });

  it('has the same bytes each time it is created', async () => {
    const first = await buildTicketsPdf(document, demoSettings);
    expect(first.equals(await buildTicketsPdf(document, demoSettings))).toBe(true);
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('shows the name of each traveler, and the position of the others among their kind', async () => {
    const drawn = vi.spyOn(PDFDocument.prototype, 'text');
    await buildTicketsPdf(withNames(['Ada Lovelace']), demoSettings);
    const texts = drawn.mock.calls.map(([text]) => String(text));
    const factsOf = (page: number) => texts.slice(texts.indexOf('TICKET FOR', indexOfPage(texts, page)) + 1);
    expect(factsOf(0).slice(0, 2)).toEqual(['Ada Lovelace', 'Adult']);
    expect(factsOf(1).slice(0, 2)).toEqual(['Adult', '2 of 2']);
    expect(factsOf(2).slice(0, 2)).toEqual(['Car with trailer, 5KJH 220', 'VESSEL']);
    expect(texts).toContain('Wheelchair places on this boat: 4.');
    drawn.mockRestore();
  });

  it('shows a character that no font has as missing, and all others of the name', async () => {
    const drawn = vi.spyOn(PDFDocument.prototype, 'text');
    await buildTicketsPdf(withNames(['Ada \u{13000} Lovelace']), demoSettings);
    const texts = drawn.mock.calls.map(([text]) => String(text));
    const name = texts.indexOf('Ada \ufffd Lovelace');
    expect(texts.slice(name + 1, name + 3)).toEqual([
      'Adult',
      'Some characters cannot be printed. Order K7M4-QXP8 has the whole name.',
    ]);
    const count = (start: string) => texts.filter((text) => text.startsWith(start)).length;
    expect(count('Some characters')).toBe(count('Ada \ufffd'));
    expect(listMissingBlocks()).toContain('U+13000');
    drawn.mockRestore();
  });

  it.skipIf(!hasPdftotext)(
    'shows ports, travelers and vessels in the scripts of installed fonts',
    async () => {
      const names = ['佐藤 花子 (Hanako)', 'สมชาย ใจดี'];
      const pdf = await buildTicketsPdf(withPlaces(['境港', 'मुंबई'], names), demoSettings);
      const text = readText(pdf);
      for (const each of ['境港 → मुंबई', ...names]) expect(text).toContain(each);
      expect(text).not.toContain('\ufffd');
      expect(findBreaches(pdf)).toEqual([]);
    },
  );

  it('draws right-to-left names from right to left, and the route from left to right', async () => {
    const drawn = vi.spyOn(PDFDocument.prototype, 'text');
    const pdf = await buildTicketsPdf(withPlaces(['חיפה', 'عكا'], ['דוד (12) כהן']), demoSettings);
    const runs = drawn.mock.calls.filter(isRun).map(([text]) => String(text));
    drawn.mockRestore();
    expect(runs.slice(0, 3)).toEqual(['חיפה', ' → ', 'عكا']);
    expect(runs.join('|')).toContain('( כהן|12|דוד )');
    expect(findBreaches(pdf)).toEqual([]);
  });

  it('wraps long names of any script within the page, and shortens those of one line', async () => {
    const drawn = vi.spyOn(PDFDocument.prototype, 'text');
    const brand = { ...demoSettings.brand, name: '隠岐汽船'.repeat(20) };
    const pdf = await buildTicketsPdf(withPlaces(['境港'.repeat(40), '西郷'], []), {
      ...demoSettings,
      brand,
    });
    const runs = drawn.mock.calls.filter(isRun).map(([text, x]) => [String(text), Number(x)] as const);
    drawn.mockRestore();
    expect(runs.filter(([text]) => text.endsWith('…'))).toHaveLength(document.tickets.length + 1);
    const shown = runs.map(([text]) => text).join('');
    expect(shown).toContain('境港'.repeat(40));
    expect(findBreaches(pdf)).toEqual([]);
  });

  it('shows a late boat with its new times, and the replaced ones struck', async () => {
    const late = { ...document, legs: document.legs.map((leg) => ({ ...leg, delayMinutes: 25 })) };
    const drawn = vi.spyOn(PDFDocument.prototype, 'text');
    const pdf = await buildTicketsPdf(late, demoSettings);
    const calls = drawn.mock.calls.map(([text, options]) => [String(text), isStruck(options)] as const);
    drawn.mockRestore();
    const departure = calls.slice(calls.findIndex(([text]) => text === 'DEPARTS') + 1);
    expect(departure.slice(0, 4)).toEqual([
      ['9:55 AM PDT', false],
      ['instead of ', false],
      ['9:30 AM PDT', true],
      ['25 min late', false],
    ]);
    const isOld = (text: string) => text === '9:30 AM PDT' || text === '7:05 PM CEST';
    expect(calls.filter(([text, struck]) => isOld(text) && !struck)).toEqual([]);
    expect(findBreaches(pdf)).toEqual([]);
  });

  it.skipIf(!hasReader)('has one code per page, which a scanner reads on Letter and on A4', async () => {
    for (const units of ['imperial', 'metric'] as const) {
      const scanned = scanPdf(await buildTicketsPdf(document, { ...demoSettings, units }));
      expect(scanned).toEqual(document.tickets.map((ticket) => ticket.payload));
    }
  });

  it('has its language, its title, and every drawing in a structure that is read in its order', async () => {
    const { tree, catalogue, drawn } = readStructure(await buildTicketsPdf(document, demoSettings));
    expect(catalogue).toMatch(/\/Lang \(en-US\)/);
    expect(catalogue).toMatch(/\/MarkInfo/);
    const [root] = tree;
    expect(root?.type).toBe('Document');
    expect(root?.children.map(({ type }) => type)).toEqual([...document.tickets.map(() => 'Sect'), 'Sect']);
    expect(root?.children.map(listContent)).toEqual(drawn);
    for (const [page, section] of root?.children.slice(0, -1).entries() ?? []) {
      const types = section.children.map(({ type }) => type);
      expect(types.slice(0, 8)).toEqual(['P', 'P', 'H1', 'P', 'Figure', 'P', 'P', 'L']);
      expect(section.children[4]?.alt).toContain(document.tickets[page]?.boardingCode);
      expect(section.children[7]?.children[0]?.children.map(({ type }) => type)).toEqual(['Lbl', 'LBody']);
    }
  });

  it('breaks no rule of PDF/UA that a program can check, whatever the operator is called', async () => {
    const brand = { ...demoSettings.brand, name: 'Smith & Søn <Ferries>' };
    const pdf = await buildTicketsPdf(document, { ...demoSettings, brand });
    expect(findBreaches(pdf)).toEqual([]);
    expect(pdf.toString('latin1')).toContain('Smith &amp; ');
  });

  it.skipIf(!hasPdfinfo)(
    'is read by a program for tagged documents in the order of its structure',
    async () => {
      const { stdout } = spawnSync('pdfinfo', ['-struct-text', '-'], {
        input: await buildTicketsPdf(document, demoSettings),
        encoding: 'utf8',
      });
      const texts = [demoSettings.brand.name, 'Seattle', document.tickets[0]?.boardingCode ?? ''];
      const places = texts.map((text) => stdout.indexOf(text));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    },
  );

  it('keeps each ticket on its one page, whatever the length of names', async () => {
    const long = {
      ...document,
      legs: document.legs.map((leg) => ({
        ...leg,
        origin: { ...leg.origin, name: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch' },
      })),
      tickets: withNames(['W'.repeat(120), 'Wolfeschlegelsteinhausen '.repeat(5).slice(0, 120)]).tickets,
    };
    const pdf = (await buildTicketsPdf(long, demoSettings)).toString('latin1');
    expect(pdf.match(/\/Type \/Page\n/g)).toHaveLength(document.tickets.length + 1);
  });
});

describe('statements as PDF', () => {
  it('have every drawing in a structure, with a table of titled columns on each page', async () => {
    const line = { date: 'Jun 1, 2026', text: 'Fare', amount: '-$1.00', balance: '$9.00' };
    const sheet = {
      cardName: 'Everyday card',
      number: '6035 0000 0000 0001',
      period: 'Jun 1, 2026 to Jun 30, 2026',
      lastDay: '2026-06-30',
      opening: '$10.00',
      closing: '$9.00',
      lines: Array<typeof line>(60).fill(line),
    };
    const pdf = await buildStatementPdf(sheet, demoSettings);
    expect(findBreaches(pdf)).toEqual([]);
    const { tree, catalogue, drawn } = readStructure(pdf);
    expect(catalogue).toMatch(/\/Lang \(en-US\)/);
    expect(tree[0]?.children.map(listContent)).toEqual(drawn);
    const tables = tree[0]?.children.map(({ children }) => {
      expect(children.map(({ type }) => type)).toEqual(['P', 'P', 'H1', 'P', 'Table']);
      return children[4]?.children ?? [];
    });
    for (const [titles, ...rows] of tables ?? []) {
      expect(titles?.children.map(({ type, scope }) => [type, scope])).toEqual(
        Array(4).fill(['TH', 'Column']),
      );
      for (const row of rows) expect(row.children.map(({ type }) => type)).toEqual(Array(4).fill('TD'));
    }
    // The balance before and after, and the titles of both pages.
    expect(tables?.flat().map(({ type }) => type)).toEqual(Array(60 + 2 + 2).fill('TR'));
  });
});

describe('ticket codes as PNG', () => {
  it.skipIf(!hasReader)('are read by a scanner', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gangway-png-'));
    const payload = document.tickets[0]?.payload ?? '';
    writeFileSync(join(folder, 'code.png'), qrPng(payload, 4));
    expect(scan([join(folder, 'code.png')])).toEqual([payload]);
    rmSync(folder, { recursive: true });
  });
});

describe('the calendar file', () => {
  it('has an event for each crossing, with an alarm before check-in', () => {
    const events = readCalendar(buildCalendarFile(document, { config, brandName: 'Harbor Line' }));
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      DTSTART: '20260605T163000Z',
      DTEND: '20260605T170500Z',
      DTSTAMP: '20260601T150000Z',
      UID: 'K7M4-QXP8-out@ferry.localhost',
      TRIGGER: '-PT1H20M',
      STATUS: 'CONFIRMED',
    });
    expect(events[1]).toMatchObject({ DTSTART: '20260608T201000Z' });
  });

  it('has a crossing in the hour that autumn repeats end after it starts', () => {
    const [leg] = document.legs;
    if (!leg) throw new Error('The order has no crossing.');
    const night = {
      ...leg,
      departsAt: new Date('2026-11-01T08:30:00Z'),
      arrivesAt: new Date('2026-11-01T09:15:00Z'),
    };
    const [event] = readCalendar(
      buildCalendarFile({ ...document, legs: [night] }, { config, brandName: 'Harbor Line' }),
    );
    expect(event).toMatchObject({ DTSTART: '20261101T083000Z', DTEND: '20261101T091500Z' });
    expect(event?.DESCRIPTION).toMatch(/Departs 1:30 AM PDT.*Arrives .* CET/);
  });

  it('moves the event of a late boat, and leaves its alarm before the check-in that stays', () => {
    const late = { ...document, legs: document.legs.map((leg) => ({ ...leg, delayMinutes: 25 })) };
    const [event] = readCalendar(buildCalendarFile(late, { config, brandName: 'Harbor Line' }));
    expect(event).toMatchObject({
      DTSTART: '20260605T165500Z',
      DTEND: '20260605T173000Z',
      TRIGGER: '-PT1H45M',
    });
    expect(event?.SUMMARY).toMatch(/, 25 min late$/);
    expect(event?.DESCRIPTION).toContain('Departs 9:55 AM PDT instead of 9:30 AM PDT');
    expect(event?.DESCRIPTION).toContain('Arrives 7:30 PM CEST instead of 7:05 PM CEST');
  });

  it('shows the order’s id only in the link to its page', () => {
    const text = unfold(buildCalendarFile(document, { config, brandName: 'Harbor Line' }));
    const link = `${config.origins.tickets}/orders/${document.order.id}/confirmation`;
    expect(text).toContain(link);
    expect(text.replaceAll(link, '')).not.toContain(document.order.id);
    expect(text).not.toMatch(/tkt_|slg_/);
  });

  it('keeps its UIDs and increases its sequence when the order or a sailing changes', () => {
    const before = readCalendar(buildCalendarFile(document, { config, brandName: 'Harbor Line' }));
    const changed = {
      ...document,
      order: { ...document.order, version: document.order.version + 1 },
      legs: document.legs.map((leg) => ({
        ...leg,
        isCanceled: true,
        sailingVersion: leg.sailingVersion + 1,
      })),
    };
    const after = readCalendar(buildCalendarFile(changed, { config, brandName: 'Harbor Line' }));
    expect(after.map((event) => event.UID)).toEqual(before.map((event) => event.UID));
    expect(Number(after[0]?.SEQUENCE)).toBeGreaterThan(Number(before[0]?.SEQUENCE));
    expect(after[0]?.STATUS).toBe('CANCELLED');
  });

  it('has lines of at most 75 bytes with CRLF, and escapes names', () => {
    const evil = {
      ...document,
      legs: document.legs.map((leg) => ({
        ...leg,
        vesselName: 'MV Evil\r\nATTENDEE:mailto:evil@example.com',
        origin: { ...leg.origin, name: 'Ærøskøbing; "North, Quay"\nBEGIN:VEVENT' },
      })),
    };
    const text = buildCalendarFile(evil, { config, brandName: 'Harbor Line' });
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(readCalendar(text)).toHaveLength(2);
    expect(text).not.toMatch(/^ATTENDEE/m);
  });
});

function isStruck(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'strike' in options && options.strike === true;
}

function withNames(names: readonly string[]): TravelDocument {
  const tickets = document.tickets.map((ticket) => ({
    ...ticket,
    travelerName: findTravelerName(names, ticket),
  }));
  return { ...document, tickets };
}

function withPlaces([origin, destination]: [string, string], names: readonly string[]): TravelDocument {
  const named = withNames(names);
  const legs = named.legs.map((leg) => ({
    ...leg,
    origin: { ...leg.origin, name: origin },
    destination: { ...leg.destination, name: destination },
  }));
  return { ...named, legs };
}

/** A part of a line that is drawn in its own font or direction. */
function isRun([, , , options]: unknown[]): boolean {
  return typeof options === 'object' && options !== null && 'features' in options;
}

function readText(pdf: Buffer): string {
  return spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).stdout;
}

/** Each page begins with the operator's name. */
function indexOfPage(texts: readonly string[], page: number): number {
  return texts.flatMap((text, index) => (text === demoSettings.brand.name ? [index] : []))[page] ?? 0;
}

function scanPdf(pdf: Buffer): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-pdf-'));
  writeFileSync(join(folder, 'tickets.pdf'), pdf);
  spawnSync('pdftoppm', ['-r', '100', '-png', join(folder, 'tickets.pdf'), join(folder, 'page')]);
  const pages = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const scanned = scan(pages.toSorted().map((name) => join(folder, name)));
  rmSync(folder, { recursive: true });
  return scanned;
}

function scan(files: readonly string[]): string[] {
  const { stdout } = spawnSync('zbarimg', ['--quiet', '--raw', '--nodbus', ...files], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

function unfold(text: string): string {
  return text.replaceAll('\r\n ', '');
}

/** The events' properties, by name with parameters. */
function readCalendar(text: string): Record<string, string>[] {
  const events: Record<string, string>[] = [];
  for (const line of unfold(text).split('\r\n')) {
    if (line === 'BEGIN:VEVENT') events.push({});
    const at = line.indexOf(':');
    const event = events.at(-1);
    if (event && at > 0 && !(line.slice(0, at) in event)) event[line.slice(0, at)] = line.slice(at + 1);
  }
  return events;
}
