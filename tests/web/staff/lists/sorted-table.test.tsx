import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import { SortedTable } from '#web/staff/lists/sorted-table.tsx';
import type { Column } from '#web/ui/data/table.tsx';
import { openPage, STAFF } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup();

type Boat = { name: string; length: number; note: string };
const columns: Column<Boat>[] = [
  {
    id: 'name',
    header: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <button type="button">{name}</button>,
  },
  { id: 'length', header: 'Length', sortBy: ({ length }) => length, cell: ({ length }) => length },
  { id: 'note', header: 'Note', sortBy: ({ note }) => note, cell: ({ note }) => note },
  { id: 'actions', header: 'Actions', cell: () => 'None' },
];
const boats: Boat[] = [
  { name: 'Eider 10', length: 90, note: 'leased' },
  { name: 'Ærfugl', length: 120, note: '' },
  { name: 'Eider 9', length: 100, note: 'as bought' },
];

function openTable(rows: readonly Boat[], path = '/') {
  openPage(STAFF + path);
  const element = <SortedTable caption="Boats" columns={columns} rows={rows} getKey={({ name }) => name} />;
  const router = createTestRouter([{ path: '/', element }], [path]);
  render(<RouterProvider router={router} />);
  return router;
}

const listNames = () =>
  within(screen.getByRole('table'))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);
const readHeading = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');

describe('a table that sorts', () => {
  test('keeps the order of its rows until a heading is pressed, and then changes the address', async () => {
    const router = openTable(boats, '/?port=MAD');
    expect(listNames()).toEqual(['Eider 10', 'Ærfugl', 'Eider 9']);
    await user.click(screen.getByRole('button', { name: 'Length' }));
    await waitFor(() => expect(listNames()).toEqual(['Eider 10', 'Eider 9', 'Ærfugl']));
    expect(readHeading('Length')).toBe('ascending');
    expect(router.state.location.search).toBe('?port=MAD&sort=length');
    await user.click(screen.getByRole('button', { name: 'Length' }));
    await waitFor(() => expect(listNames()).toEqual(['Ærfugl', 'Eider 9', 'Eider 10']));
    expect(router.state.location.search).toBe('?port=MAD&sort=-length');
    await user.click(screen.getByRole('button', { name: 'Length' }));
    await waitFor(() => expect(readHeading('Length')).toBeNull());
    expect(router.state.location.search).toBe('?port=MAD');
  });

  test('sorts names as people do, by the address it is opened with', () => {
    openTable(boats, '/?sort=name');
    expect(listNames()).toEqual(['Ærfugl', 'Eider 9', 'Eider 10']);
  });

  test.each(['note', '-note'])('lists rows without a value last by %s', (sort) => {
    openTable(boats, `/?sort=${sort}`);
    expect(listNames().at(-1)).toBe('Ærfugl');
  });

  test('ignores a column in the address that does not sort', () => {
    openTable(boats, '/?sort=actions');
    expect(listNames()).toEqual(['Eider 10', 'Ærfugl', 'Eider 9']);
    expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
  });
});

describe('a table with hundreds of rows', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ name: `Boat ${at}`, length: at, note: '' }));

  test('has only those near the screen in the page, and tells how many there are', () => {
    openTable(many);
    const names = listNames();
    expect(names.length).toBeLessThan(100);
    expect(names[0]).toBe('Boat 0');
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('301');
    expect(screen.getAllByRole('row')[1]?.getAttribute('aria-rowindex')).toBe('2');
  });

  test('prints all of them', () => {
    openTable(many);
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    expect(listNames()).toHaveLength(300);
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(listNames().length).toBeLessThan(100);
  });
});
