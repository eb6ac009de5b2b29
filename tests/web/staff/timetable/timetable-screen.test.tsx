import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import { UPLOAD_LIMIT_BYTES } from '#contract/desk/timetable/limits.ts';
import type { TimetableDifference } from '#contract/desk/timetable/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { TimetableScreen } from '#web/staff/timetable/timetable-screen.tsx';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup({ applyAccept: false });

const none = { sailings: 0, tickets: 0, orders: 0 };
const difference: TimetableDifference = {
  checked: { revision: 'r1', digest: 'd1', affected: 0 },
  files: [{ name: 'fares.csv', state: 'changed' }],
  ...{ kept_files: 3, until: '2026-08-30', days: [], day_count: 0, sold_sailings: [] },
  ...{ notified: 0, unpaid_notified: 0, unreachable: 0 },
  sailings: { added: 0, gone: 0, moved: 0, otherwise_changed: 0, unchanged: 32 },
  ...{ canceled: none, moved: none, needs_confirmation: false, currency: 'USD', notes: [] },
  fares: { added: 0, removed: 0, changed: 0, list: [] },
  taxes: { count: 0, list: [] },
  promo_codes: { added: ['NEW'], removed: [], changed: [] },
};

/** A difference that cancels one sold sailing. */
const harmful: TimetableDifference = {
  ...difference,
  ...{ needs_confirmation: true, notified: 2, canceled: { sailings: 1, tickets: 3, orders: 2 } },
  checked: { ...difference.checked, affected: 1 },
};

type Sent = { path: string; body: unknown };

/** Opens the screen. Returns what is sent. */
async function openTimetable(
  checked: TimetableDifference = difference,
  applied = success({ notified: 2, unpaid_notified: 0, unreachable: 0 }),
) {
  openPage(STAFF + staffPages.timetable);
  const sent: Sent[] = [];
  answerFetches(({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    if (pathname.endsWith('/promo_codes')) return success({ currency: 'USD', promo_codes: [] });
    if (pathname.endsWith('/changes')) return success([]);
    if (init.method === 'GET')
      return success({ current: { imported_at: '2026-06-01T15:00:00.000Z', until: '2026-08-30' } });
    sent.push({ path: pathname, body: JSON.parse(String(init.body)) });
    if (!pathname.endsWith('/check')) return applied;
    return success({ problems: [], problem_count: 0, difference: checked });
  });
  const router = createTestRouter(
    [{ path: staffPages.timetable, Component: TimetableScreen }],
    [staffPages.timetable],
  );
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role: 'office' as const };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'timetable.zip' });
  await screen.findByRole('table', { name: 'What promo codes brought' });
  return sent;
}

async function upload(...files: File[]): Promise<void> {
  await user.upload(screen.getByLabelText('Files'), files);
  await user.click(screen.getByRole('button', { name: 'Show the difference' }));
}

const fares = () => new File(['fare_class\n'], 'fares.csv');

describe('an upload', () => {
  test('is sent as it was checked, and its card is gone when it is applied', async () => {
    const sent = await openTimetable();
    await upload(fares());
    expect(await screen.findByText('Files: fares.csv (changed). 3 others stay as they are.')).toBeDefined();
    expect(screen.getByText('Promo codes. New: NEW. Changed: none. Ended: none.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Apply all of it' }));
    await waitFor(() => expect(screen.queryByText('What would change')).toBeNull());
    const [checked, applied] = sent.map(({ body }) => body as { upload: string; checked?: unknown });
    expect(applied).toEqual({ upload: checked?.upload, checked: difference.checked });
  });

  test('moves the focus to what would change, and shows long lists of prices in two steps', async () => {
    const prices = Array.from({ length: 25 }, (_, index) => ({
      ...{ route: `Route ${index}`, fare_class: 'flex', what: 'adult' },
      ...{ before: [], after: [{ amount: 1000, valid_from: null, valid_until: null, weekdays: 127 }] },
    }));
    await openTimetable({ ...difference, fares: { added: 30, removed: 0, changed: 0, list: prices } });
    await upload(fares());
    const heading = await screen.findByText('What would change');
    expect(document.activeElement).toBe(heading);
    const table = screen.getByRole('table', { name: 'Prices: 0 changed, 30 new, 0 ended' });
    expect(within(table).getAllByRole('row')).toHaveLength(21);
    await user.click(screen.getByRole('button', { name: 'Show 5 more' }));
    expect(within(table).getAllByRole('row')).toHaveLength(26);
    expect(document.activeElement?.textContent).toContain('Route 20');
    expect(screen.getByText('And 5 more.')).toBeDefined();
  });

  test('that harms passengers is applied only after that was confirmed', async () => {
    const sent = await openTimetable(harmful);
    await upload(fares());
    expect(await screen.findByText('Passengers of 2 orders are written to.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Apply all of it' }));
    expect(screen.getByText('Please confirm this.')).toBeDefined();
    expect(sent).toHaveLength(1);
    await user.click(screen.getByLabelText('I want 1 sailing with tickets to be canceled or moved.'));
    await user.click(screen.getByRole('button', { name: 'Apply all of it' }));
    await waitFor(() => expect(sent).toHaveLength(2));
  });

  test('has to be checked again when the timetable has changed since', async () => {
    const message = 'Please check again.';
    const errors = [{ code: 'timetable_changed', message }];
    await openTimetable(difference, json({ success: false, errors, status_code: 422 }, 422));
    await upload(fares());
    await user.click(await screen.findByRole('button', { name: 'Apply all of it' }));
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.queryByText('What would change')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show the difference' }));
    expect(await screen.findByText('What would change')).toBeDefined();
    expect(screen.queryByText(message)).toBeNull();
  });

  test.each([
    ['without files', [], 'Choose a file.'],
    [
      'of several archives',
      [new File(['a'], 'a.zip'), new File(['b'], 'b.zip')],
      'Choose one archive, or only files without an archive.',
    ],
    [
      'of a large archive',
      [new File([new Uint8Array(UPLOAD_LIMIT_BYTES + 1)], 'a.zip')],
      'The files are larger than 10 MB together. Ask your administrator to import them on the server.',
    ],
  ])('%s is not sent', async (_, files, problem) => {
    const sent = await openTimetable();
    await upload(...files);
    expect(await screen.findByText(problem)).toBeDefined();
    expect(sent).toEqual([]);
  });
});
