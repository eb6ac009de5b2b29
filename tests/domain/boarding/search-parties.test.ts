import { describe, expect, test } from 'vitest';
import { countTitles, measureParty } from '#domain/boarding/party-progress.ts';
import { findPartiesOfOrder, indexParties, searchParties } from '#domain/boarding/search-parties.ts';
import { buildGateParty, buildGateSailing, buildGateTicket } from '#tests/factories/gate.ts';

const boat = buildGateSailing();
const ada = buildGateParty(boat.id, { contact_name: 'Ada Ångström', phone: '+1 206 555 0123' });
const bo = buildGateParty(boat.id, {
  reference: '2NWB-2WMB',
  contact_name: 'Bo Diaz',
  phone: '',
  vehicle: { plate: 'ÄB 123-X', length_cm: 480, height_cm: null },
  tickets: [buildGateTicket({ code: '9MYU 2222', name: 'Carla Ek' })],
});
const index = indexParties([ada, bo]);
const search = (text: string) => searchParties(index, text, 10).map(({ contact_name }) => contact_name);

describe('searchParties', () => {
  test('finds parties by name without accents, traveler, plate, reference, phone and spoken code', () => {
    expect(search('angstr')).toEqual(['Ada Ångström']);
    expect(search('carla ek')).toEqual(['Bo Diaz']);
    expect(search('ab123x')).toEqual(['Bo Diaz']);
    expect(search('2nwb 2wmb')).toEqual(['Bo Diaz']);
    expect(search('555-0123')).toEqual(['Ada Ångström']);
    expect(search('9myu2222')).toEqual(['Bo Diaz']);
    expect(search('no such name')).toEqual([]);
  });

  test('finds nothing for less than three letters or digits, so that it never lists everybody', () => {
    expect(search('')).toEqual([]);
    expect(search(' b ')).toEqual([]);
    expect(search('a-')).toEqual([]);
  });

  test('finds the parties of an order by its whole reference alone', () => {
    const parties = ['3333-333X', '3333-333X', '4444-444U'].map((reference) => ({ ...ada, reference }));
    expect(findPartiesOfOrder(parties, '3333 333x')).toEqual(parties.slice(0, 2));
    expect(findPartiesOfOrder(parties, '3333-333')).toEqual([]);
    expect(findPartiesOfOrder(parties, '')).toEqual([]);
  });

  test('returns no more parties than asked for', () => {
    const many = indexParties(Array.from({ length: 30 }, () => ada));
    expect(searchParties(many, 'ada', 5)).toHaveLength(5);
  });
});

describe('a party’s progress', () => {
  const aboard = buildGateTicket({
    boarding: { sailing_id: boat.id, at: '2026-06-02T15:31:00.000Z', device: 'Ramp 1', times: 1 },
  });
  const waiting = buildGateTicket();
  const canceled = buildGateTicket({ status: 'canceled' });
  const party = buildGateParty(boat.id, { tickets: [aboard, waiting, canceled] });

  test('counts who is aboard and who boards now, without canceled tickets', () => {
    expect(measureParty(party)).toEqual({ aboard: 1, total: 2 });
    expect(measureParty(party, [waiting.id])).toEqual({ aboard: 2, total: 2 });
  });

  test('counts tickets of one title together', () => {
    const car = buildGateTicket({ title: 'Car' });
    expect(countTitles([aboard, car, waiting])).toEqual([
      { title: 'Adult', count: 2 },
      { title: 'Car', count: 1 },
    ]);
  });
});
