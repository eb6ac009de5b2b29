import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffSetting, StaffSettings } from '#contract/desk/settings/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { SettingsScreen } from '#web/staff/settings/settings-screen.tsx';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup();

const field = (path: string, over: Partial<StaffSetting>): StaffSetting => ({
  ...{ path, section: path.split('.')[0] ?? '', language: null, kind: 'text', allowed: 'text', choices: [] },
  ...{ can_be_empty: false, source: 'settings', value: null, ...over },
});
const settings: StaffSettings = {
  version: 'v1',
  currency: 'USD',
  published: { at: '2026-06-01T12:00:00Z', by: 'Alan Turing' },
  settings: [
    field('brand.name', { value: 'Sound Ferries' }),
    field('brand.accent', { kind: 'color', value: '#004488' }),
    field('brand.tagline', { can_be_empty: true, source: 'feed', value: 'By sea.' }),
    field('brand.tagline@de', { can_be_empty: true, language: 'de' }),
    field('units', { kind: 'choice', choices: ['imperial', 'metric'], value: 'metric' }),
    field('terms.text', { kind: 'paragraphs', value: ['Be kind.', 'Be early.'] }),
    field('top_up.presets', { kind: 'amounts', value: [2000, 5000] }),
    field('top_up.min', { kind: 'amount', value: 500 }),
    field('delay_notice_minutes', { kind: 'number', source: 'default' }),
    field('attach_tickets_pdf', { kind: 'switch', source: 'default' }),
  ],
};
/** One earlier version, which had another name. */
function answerVersions(path: string): Response {
  if (path.endsWith('/versions')) {
    return success([{ id: 'stv_1', at: '2026-05-01T12:00:00Z', by: 'Ada Lovelace' }]);
  }
  return success([{ path: 'brand.name', value: 'Old Ferries' }]);
}
const withValue = (version: string, path: string, value: string): StaffSettings => ({
  ...settings,
  version,
  settings: settings.settings.map((each) => (each.path === path ? { ...each, value } : each)),
});

type Sent = { method: string | undefined; path: string; body: unknown };
type Answer = (sent: Sent) => Response;

async function openSettings(answer: Answer, role: StaffRole = 'manager'): Promise<Sent[]> {
  openPage(`${STAFF}${staffPages.settings}`);
  const sent: Sent[] = [];
  answerFetches(({ url, init }) => {
    const call = { method: init.method, path: new URL(url, STAFF).pathname, body: null as unknown };
    if (!call.path.startsWith('/api/staff/')) return json({}, 404);
    if (typeof init.body === 'string') call.body = JSON.parse(init.body);
    if (call.path.includes('/versions')) return answerVersions(call.path);
    sent.push(call);
    return answer(call);
  });
  const router = createTestRouter(
    [{ path: staffPages.settings, Component: SettingsScreen }],
    [staffPages.settings],
  );
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  return sent;
}

const preview = () => user.click(screen.getByRole('button', { name: 'Check and preview' }));
const dialog = async () => within(await screen.findByRole('dialog'));
async function type(label: string, text: string): Promise<void> {
  const input = await screen.findByLabelText<HTMLInputElement>(label);
  await user.clear(input);
  if (text !== '') await user.type(input, text);
}

describe('the settings', () => {
  test('are refused by name beside the field, and what is typed stays', async () => {
    const errors = [{ code: 'invalid_input', field: 'brand.accent', message: '“blu” is not possible here.' }];
    await openSettings(({ method }) =>
      method === 'GET'
        ? success(settings)
        : json({ success: false, data: null, errors, error: 'No.', status_code: 422 }, 422),
    );
    await type('Accent color', 'blu');
    await preview();
    expect((await screen.findByRole('alert')).textContent).toContain('“blu” is not possible here.');
    const accent = screen.getByLabelText<HTMLInputElement>('Accent color');
    expect(accent.value).toBe('blu');
    expect(accent.getAttribute('aria-invalid')).toBe('true');
  });

  test('are sent as what they are, and shown with what changes before they are published', async () => {
    const difference = { path: 'units', before: 'metric', after: 'imperial' };
    const sent = await openSettings(({ method }) =>
      success(
        method === 'POST' ? [difference] : method === 'PUT' ? withValue('v2', 'units', 'imperial') : settings,
      ),
    );
    await type('Name of the operator', '');
    await type('Tagline', '');
    await type('Tagline (Deutsch)', 'Über See.');
    await user.selectOptions(screen.getByLabelText('Units of length'), 'Feet and inches');
    await type('Text of the terms', 'One.{Enter}Still one.{Enter}{Enter}Two.');
    expect(screen.getByLabelText<HTMLInputElement>('Offered amounts').value).toBe('20.00; 50.00');
    await type('Offered amounts', '10, 20.00; 50.00');
    await type('Lowest amount', '7.50');
    await type('Minutes of delay of which passengers are told', 'ten');
    await user.click(screen.getByRole('switch', { name: 'Attach tickets to mails as PDF' }));
    await preview();
    const question = await dialog();
    expect(question.getByRole('row', { name: /Units of length/ }).textContent).toContain('Feet and inches');
    await user.click(question.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const changes = [
      { path: 'brand.name' },
      { path: 'brand.tagline', value: null },
      { path: 'brand.tagline@de', value: 'Über See.' },
      { path: 'units', value: 'imperial' },
      { path: 'terms.text', value: ['One.\nStill one.', 'Two.'] },
      { path: 'top_up.presets', value: [1000, 2000, 5000] },
      { path: 'top_up.min', value: 750 },
      { path: 'delay_notice_minutes', value: 'ten' },
      { path: 'attach_tickets_pdf', value: true },
    ];
    expect(sent.slice(1)).toEqual([
      { method: 'POST', path: '/api/staff/settings/preview', body: { changes } },
      { method: 'PUT', path: '/api/staff/settings', body: { version: 'v1', changes } },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('Name of the operator').value).toBe('Sound Ferries');
  });

  test('of an earlier version are checked and published again, and what is typed stays', async () => {
    const again = [{ path: 'brand.name', value: 'Old Ferries' }];
    const difference = { path: 'brand.name', before: 'Sound Ferries', after: 'Old Ferries' };
    const sent = await openSettings(({ method }) =>
      success(
        method === 'POST'
          ? [difference]
          : method === 'PUT'
            ? withValue('v2', 'brand.name', 'Old Ferries')
            : settings,
      ),
    );
    await type('Tagline', 'Half typed');
    await user.click(await screen.findByText('Earlier versions', { selector: 'summary, summary *' }));
    await user.click(await screen.findByRole('button', { name: /^Publish again what was published/ }));
    const question = await dialog();
    expect(question.getByRole('row', { name: /Name of the operator/ }).textContent).toContain('Old Ferries');
    await user.click(question.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.slice(1)).toEqual([
      { method: 'POST', path: '/api/staff/settings/preview', body: { changes: again } },
      { method: 'PUT', path: '/api/staff/settings', body: { version: 'v1', changes: again } },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('Name of the operator').value).toBe('Old Ferries');
    expect(screen.getByLabelText<HTMLInputElement>('Tagline').value).toBe('Half typed');
  });

  test('that others published meanwhile are shown, and nothing typed is lost', async () => {
    let loads = 0;
    const latest = {
      ...withValue('v2', 'brand.name', 'Bay Ferries'),
      published: { at: '2026-06-02T12:00:00Z', by: 'Ada Lovelace' },
    };
    const errors = [{ code: 'settings_changed', message: 'Someone else.' }];
    const sent = await openSettings(({ method, body }) => {
      if (method === 'GET') return success(loads++ === 0 ? settings : latest);
      if (method === 'POST') return success([{ path: 'brand.accent', before: '#004488', after: '#000' }]);
      const isLate = (body as { version: string }).version === 'v1';
      return isLate
        ? json({ success: false, data: null, errors, error: 'No.', status_code: 422 }, 422)
        : success(latest);
    });
    await type('Accent color', '#000');
    await preview();
    await user.click((await dialog()).getByRole('button', { name: 'Publish' }));
    expect(await screen.findByText('Ada Lovelace has published settings meanwhile')).toBeDefined();
    expect(screen.getByRole('row', { name: /Name of the operator/ }).textContent).toContain('Bay Ferries');
    expect(screen.getByLabelText<HTMLInputElement>('Name of the operator').value).toBe('Bay Ferries');
    expect(screen.getByLabelText<HTMLInputElement>('Accent color').value).toBe('#000');
    await preview();
    await user.click((await dialog()).getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText('Ada Lovelace has published settings meanwhile')).toBeNull();
    expect(sent.at(-1)?.body).toEqual({ version: 'v2', changes: [{ path: 'brand.accent', value: '#000' }] });
  });

  test('say once where the values of a section are from if all are from there', async () => {
    const timetable = { source: 'feed', value: 'As in the file.' } as const;
    await openSettings(() =>
      success({
        ...settings,
        settings: [
          field('brand.name', timetable),
          field('brand.tagline', timetable),
          field('terms.url', { source: 'default' }),
          field('terms.text', timetable),
        ],
      }),
    );
    expect(await screen.findAllByText('From the timetable, until you set them.')).toHaveLength(1);
    expect(screen.getByLabelText('Name of the operator').hasAttribute('aria-describedby')).toBe(false);
    expect(screen.getAllByText('Not set yet.')).toHaveLength(1);
    expect(screen.getAllByText(/From the timetable, until you set it\./)).toHaveLength(1);
  });

  test('are not sent while nothing is changed, and not shown to the office', async () => {
    const sent = await openSettings(() => success(settings));
    await screen.findByLabelText('Accent color');
    await preview();
    expect(await screen.findByText('Nothing is changed yet.')).toBeDefined();
    expect(sent).toHaveLength(1);
    cleanup();
    const none = await openSettings(() => success(settings), 'office');
    expect(await screen.findByText(/Your role does not allow this/)).toBeDefined();
    expect(none).toEqual([]);
  });
});
