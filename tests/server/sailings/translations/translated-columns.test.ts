import { describe, expect, it } from 'vitest';
import { FileError } from '#server/csv/problems.ts';
import { type Plan, planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, feedText, MONDAY } from '#tests/factories/timetable.ts';

function plan(changes: Record<string, string>): Plan {
  return planFeed(buildFeed(changes), { now: new Date(MONDAY), days: 2 });
}

function problemsOf(changes: Record<string, string>): unknown {
  try {
    plan(changes);
    return [];
  } catch (error) {
    if (error instanceof FileError) return error.problems;
    throw error;
  }
}

describe('columns in other languages', () => {
  it('are read for the names and notes of the operator’s files', () => {
    const { vessels, passengerTypes, vehicleTypes, fareClasses, ports } = plan({
      'ports.csv': 'stop_id,address,address@fr\nnorth,1 Pier Road,1 route du Quai\n',
      'vessels.csv':
        'code,name,passengers,name@nb,accessibility_notes,accessibility_notes@de\ntern,MV Tern,10,MS Terne,Level boarding.,Ebener Einstieg.\n',
      'passenger_types.csv':
        'code,name,name@de,name@FR\nadult,Adult,Erwachsene,Adulte\nchild,Child,Kind,Enfant\n',
      'vehicle_types.csv': `code,name,name@de,length_required\ncar,Car,Pkw,yes\nvan,Van,Transporter,yes\n`,
      'fare_classes.csv':
        'code,name,summary,name@de,summary@de\nsaver,Saver,Cheap.,Spar,Günstig.\nflex,Flexible,,Flex,\n',
    });
    expect(ports.find(({ gtfsStopId }) => gtfsStopId === 'north')?.translations).toEqual({
      'address@fr': '1 route du Quai',
    });
    expect(vessels[0]?.translations).toEqual({
      'name@nb': 'MS Terne',
      'accessibilityNotes@de': 'Ebener Einstieg.',
    });
    expect(passengerTypes[0]?.translations).toEqual({ 'name@de': 'Erwachsene', 'name@fr': 'Adulte' });
    expect(vehicleTypes[1]?.translations).toEqual({ 'name@de': 'Transporter' });
    expect(fareClasses.map(({ translations }) => translations)).toEqual([
      { 'name@de': 'Spar', 'summary@de': 'Günstig.' },
      { 'name@de': 'Flex' },
    ]);
  });

  it('are read for passes, with the names of what they cover', () => {
    const { passes } = plan({
      'passenger_types.csv': 'code,name,name@de\nadult,Adult,Erwachsene\nchild,Child,\n',
      'passes.csv': `code,name,name@de,trips,price,passenger_types\nten,Ten trips,Zehn Fahrten,10,70.00,adult child\n`,
    });
    expect(passes[0]?.terms).toMatchObject({
      passenger_names: ['Adult', 'Child'],
      translations: { 'name@de': 'Zehn Fahrten', 'passenger_names@de': ['Erwachsene', 'Child'] },
    });
  });

  it('are read for the shares of prices, and hold for every row with the name', () => {
    const { taxes } = plan({
      'taxes.csv':
        'product,share_percent,tax_percent,name,name@de\npassenger,100,0,Abroad,Ausland\nvehicle,100,0,Abroad,\n',
    });
    expect(new Set(taxes.map(({ product }) => product))).toEqual(new Set(['passenger', 'vehicle']));
    for (const { translations } of taxes) expect(translations).toEqual({ 'name@de': 'Ausland' });
  });

  it('are read for exceptions', () => {
    const { exceptions } = plan({
      'exceptions.csv': 'date,kind,text,text@de\n2026-06-02,notice,Board at pier 2.,Einstieg an Pier 2.\n',
    });
    expect(exceptions?.[0]?.translations).toEqual({ 'text@de': 'Einstieg an Pier 2.' });
  });

  it('accept another tag of a language that the product has', () => {
    const { fareClasses } = plan({
      'fare_classes.csv': 'code,name,name@no,name@de-AT\nsaver,Saver,Spare,Spar\nflex,Flexible,,\n',
    });
    expect(fareClasses[0]?.translations).toEqual({ 'name@nb': 'Spare', 'name@de': 'Spar' });
  });

  it('are refused for a language that the product does not have', () => {
    const file = feedText('passenger_types.csv').replace('name', 'name,name@tlh');
    expect(problemsOf({ 'passenger_types.csv': file })).toEqual([
      {
        file: 'passenger_types.csv',
        line: 1,
        column: 'name@tlh',
        message: '"tlh" is none of the languages en, de, nb, fr.',
      },
    ]);
  });

  it('are named if the column has no other languages', () => {
    const { skipped } = plan({ 'operator.csv': 'currency,currency@de\nUSD,EUR\n' });
    expect(skipped).toContain('not read: columns of operator.csv that are unknown: currency@de');
  });

  it('refuse a pass’s name that is too long for its card', () => {
    const file = `code,name,name@de,trips,price\nten,Ten trips,${'Zehn'.repeat(20)},10,70.00\n`;
    expect(problemsOf({ 'passes.csv': file })).toMatchObject([
      { column: 'name@de', message: 'A name has 60 characters at most.' },
    ]);
  });
});
