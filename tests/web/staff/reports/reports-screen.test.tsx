import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import { staffPages } from '#contract/paths.ts';
import type { MonthState, Report } from '#contract/reports/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { ReportsScreen } from '#web/staff/reports/reports-screen.tsx';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup();

const june = { from: '2026-06-01', until: '2026-06-30' };
const months: MonthState[] = [
  { month: '2026-06', ...june, closed_at: null, closed_by: null, can_close: true },
];

type Content = Pick<Report, 'report' | 'columns' | 'rows'>;

/** Opens a report of June. Returns the requests other than readings. */
async function openReport(content: Content, role: StaffRole = 'manager'): Promise<string[]> {
  const path = `${staffPages.reports}?report=${content.report}&from=${june.from}&until=${june.until}`;
  openPage(STAFF + path);
  const sent: string[] = [];
  answerFetches(({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    if (init.method !== 'GET') sent.push(`${init.method} ${pathname}`);
    return success(
      pathname.startsWith('/api/staff/months') ? months : { ...content, ...june, closed_at: null },
    );
  });
  const router = createTestRouter([{ path: staffPages.reports, Component: ReportsScreen }], [path]);
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByRole('table', { name: 'Months' });
  return sent;
}

const headersOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);

describe('a report', () => {
  test('shows amounts in their currency and sums them up, without columns that have no value', async () => {
    await openReport({
      report: 'sales',
      columns: ['day', 'route', 'product', 'belongs_to', 'tax_percent', 'tickets', 'gross', 'currency'],
      rows: [
        ['2026-06-01', 'MAD-HER', 'Adult', '', 1000, 2, 2200, 'USD'],
        ['2026-06-02', 'MAD-HER', 'Adult', '', 1000, -1, -1100, 'USD'],
      ],
    });
    expect(headersOf('Sales')).not.toContain('Sold in');
    expect(headersOf('Sales')).toContain('Product');
    const totals = screen.getByRole('table', { name: 'Sales: totals' });
    expect(totals.textContent).toContain('$11.00');
    const sales = screen.getByRole('table', { name: 'Sales' });
    expect(sales.textContent).toContain('-$11.00');
    expect(sales.textContent).toContain('10%');
    const picture = screen.getByRole('list', { name: 'Chart of the report' });
    expect(picture.textContent).toBe('Mon, Jun 1$22.00Tue, Jun 2-$11.00');
  });

  test('counts the trips of a pass, and has no totals of places', async () => {
    await openReport({
      report: 'stored_value',
      columns: ['product', 'unit', 'opening', 'closing', 'currency'],
      rows: [
        ['TEN', 'trips', 0, 10, 'USD'],
        ['', 'money', 0, 1250, 'USD'],
      ],
    });
    const rows = within(screen.getByRole('table', { name: 'Trip cards and passes' })).getAllByRole('row');
    expect(rows[1]?.textContent).toContain('10');
    expect(rows[1]?.textContent).not.toContain('$');
    expect(rows[2]?.textContent).toContain('$12.50');
  });

  test('writes times as the reader does', async () => {
    await openReport({
      report: 'loads',
      columns: ['day', 'time', 'route', 'places', 'people', 'currency'],
      rows: [
        ['2026-06-01', '13:05', 'MAD-HER', 200, 3, 'USD'],
        ['2026-06-01', '15:05', 'HER-MAD', 200, 4, 'USD'],
      ],
    });
    expect(screen.getByRole('table', { name: 'Loads' }).textContent).toMatch(/1:05\sPM/);
    expect(headersOf('Loads: totals')).toEqual(['Currency', 'People']);
  });

  test('tells how full each boat was in few columns, and says so if no gate was used', async () => {
    await openReport({
      report: 'loads',
      columns: [
        ...(['day', 'time', 'route', 'vessel', 'places', 'people', 'people_percent', 'gate'] as const),
        ...([
          'boarded',
          'no_shows',
          'lane',
          'lane_percent',
          'tall_lane_percent',
          'gross',
          'currency',
        ] as const),
      ],
      rows: [
        [
          '2026-06-01',
          '07:30',
          'MAD-HER',
          'Alca',
          200,
          50,
          2500,
          'used',
          48,
          2,
          9000,
          4550,
          1000,
          400,
          'USD',
        ],
        ['2026-06-01', '09:30', 'MAD-HER', 'Alca', 200, 6, 300, 'unused', 0, '', 9000, 0, 0, 600, 'USD'],
        ['2026-06-01', '11:30', 'MAD-HER', 'Tern', 100, 0, 0, 'unused', 0, '', 0, '', '', 0, 'USD'],
      ],
    });
    const [head, ...rows] = within(screen.getByRole('table', { name: 'Loads' })).getAllByRole('row');
    expect(head?.children).toHaveLength(10);
    const cellsOf = (row?: HTMLElement) =>
      [...(row?.querySelectorAll('th, td') ?? [])].map((cell) =>
        cell.hasAttribute('data-empty') ? '' : cell.lastChild?.textContent?.replaceAll('\u00a0', ' '),
      );
    expect(cellsOf(rows[0]).slice(3)).toEqual([
      ...['50 of 200 (25%)', '48', '2', '', '46%, tall 10%', '', '$4.00'],
    ]);
    expect(cellsOf(rows[1]).slice(3, 6)).toEqual(['6 of 200 (3%)', '', 'no gate used']);
    expect(cellsOf(rows[2]).slice(3, 6)).toEqual(['0 of 100 (0%)', '', '']);
    const totals = within(screen.getByRole('table', { name: 'Loads: totals' })).getAllByRole('row');
    expect(totals[1]?.textContent).toContain('11.2%');
  });

  test('says so if nothing was sold', async () => {
    await openReport({ report: 'sales', columns: ['day'], rows: [] });
    expect(screen.getByText('Nothing to report for these days')).toBeDefined();
  });
});

describe('a batch for DATEV', () => {
  test('is offered with the general ledger of a whole month', async () => {
    await openReport({
      report: 'ledger',
      columns: ['day', 'amount', 'currency'],
      rows: [['2026-06-01', 5, 'USD']],
    });
    expect(screen.getByRole('button', { name: 'Download for DATEV' })).toBeDefined();
  });

  test('is offered for each currency of the month, because a batch has one', async () => {
    await openReport({
      report: 'ledger',
      columns: ['day', 'amount', 'currency'],
      rows: [
        ['2026-06-01', 5, 'USD'],
        ['2026-06-01', 50, 'NOK'],
      ],
    });
    const buttons = await screen.findAllByRole('button', { name: /DATEV/ });
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      'Download for DATEV (NOK)',
      'Download for DATEV (USD)',
    ]);
  });

  test('is not offered with other reports', async () => {
    await openReport({ report: 'sales', columns: ['day', 'gross', 'currency'], rows: [] });
    expect(screen.queryByRole('button', { name: 'Download for DATEV' })).toBeNull();
  });
});

describe('closing a month', () => {
  test('asks first, and is not offered to the office', async () => {
    const sent = await openReport({ report: 'sales', columns: ['day'], rows: [] });
    await user.click(screen.getByRole('button', { name: 'Close June 2026' }));
    expect(sent).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Close the month' }));
    await waitFor(() => expect(sent).toEqual(['POST /api/staff/months/2026-06/close']));
    cleanup();
    await openReport({ report: 'sales', columns: ['day'], rows: [] }, 'office');
    expect(screen.queryByRole('button', { name: 'Close June 2026' })).toBeNull();
  });
});
