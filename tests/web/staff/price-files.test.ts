import { describe, expect, it } from 'vitest';
import { isChanged, openDraft, writeDraft } from '#web/staff/timetable/prices/price-files.ts';

const SAVED =
  'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,9.25\n"flex",passenger,adult,11.50\n';

describe('a price file being edited', () => {
  it('is unchanged until something is typed, however its cells are quoted', () => {
    expect(isChanged('fares.csv', openDraft('fares.csv', SAVED))).toBe(false);
  });

  it('is written with decimals with a point, and with the columns that are filled', () => {
    const draft = openDraft('fares.csv', SAVED);
    const rows = draft.rows.map((row, index) =>
      index === 0 ? { ...row, cells: { ...row.cells, amount: ' 10,75', valid_from: '2027-01-01' } } : row,
    );
    expect(writeDraft('fares.csv', { ...draft, rows })).toBe(
      'fare_class,kind,passenger_type,amount,valid_from\nsaver,passenger,adult,10.75,2027-01-01\nflex,passenger,adult,11.50,\n',
    );
  });
});
