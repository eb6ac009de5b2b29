import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRecording } from '#web/platform/analytics/session-recording.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { buildPageConfig, openPage } from '../page.ts';

beforeEach(() => {
  openPage();
  vi.spyOn(document.head, 'append').mockImplementation(() => undefined);
});
afterEach(() => {
  Reflect.deleteProperty(window, 'hj');
  Reflect.deleteProperty(window, '_hjSettings');
});

function configure(siteId: string | null): void {
  const base = buildPageConfig();
  const analytics = { ...base.settings.analytics, recorder_site_id: siteId };
  providePageConfig({ ...base, settings: { ...base.settings, analytics } });
}

test.each([null, '', 'not a number'])('no session is recorded with the site id %s', (siteId) => {
  configure(siteId);
  startRecording();
  expect(Reflect.get(window, 'hj')).toBeUndefined();
});

test('a session is recorded once, with an id of its own, by version 6 of the script', () => {
  configure('4711');
  startRecording();
  startRecording();
  expect(Reflect.get(window, '_hjSettings')).toEqual({ hjid: 4711, hjsv: 6 });
  expect(document.head.append).toHaveBeenCalledTimes(1);
  const recorder = Reflect.get(window, 'hj') as { q: unknown[][] };
  expect(recorder.q).toEqual([['identify', expect.stringMatching(/^[0-9a-f-]{36}$/), {}]]);
});
