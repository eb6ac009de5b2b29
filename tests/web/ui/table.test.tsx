import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type Column, Table } from '#web/ui/data/table.tsx';

type Fare = { id: string; name: string; price: string };

const columns: Column<Fare>[] = [
  { id: 'name', header: 'Fare', cell: ({ name }) => name },
  { id: 'price', header: 'Price', cell: ({ price }) => price, isFigure: true },
];

afterEach(cleanup);

function show(rows: Fare[]): void {
  render(<Table caption="Fares" columns={columns} rows={rows} getKey={({ id }) => id} />);
}

test('a table is named by its caption, and each row by its first cell', () => {
  show([{ id: 'a', name: 'Adult', price: '$9.25' }]);
  expect(screen.getByRole('table', { name: 'Fares' })).toBeTruthy();
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(['Fare', 'Price']);
  expect(screen.getByRole('rowheader').textContent).toBe('Adult');
  expect(screen.getByRole('cell').textContent).toContain('$9.25');
});

test('a table without rows shows a text across all its columns', () => {
  show([]);
  const cell = screen.getByRole('cell', { name: 'There is nothing here yet.' });
  expect(cell.getAttribute('colspan')).toBe('2');
});
