import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeProfile, loadProfile, profileStore } from '#web/platform/account/profile.ts';
import { clearSession, readToken, startSession } from '#web/platform/session/session.ts';
import { answerFetches, json, openPage, TOKEN } from '../page.ts';

const ANN = {
  id: 'cus_1',
  email: 'ann@example.com',
  name: 'Ann',
  phone: '',
  pending_email: '',
  mfa_required: false,
  beta_tester: true,
  success: true,
  status_code: 200,
};

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  page = openPage();
  startSession(TOKEN);
});
afterEach(() => {
  openPage();
  vi.unstubAllGlobals();
});

describe('the profile', () => {
  test('loads once per session', async () => {
    const requests = answerFetches(() => json(ANN));
    await Promise.all([loadProfile(), loadProfile()]);
    await loadProfile();
    expect(requests).toHaveLength(1);
    expect(profileStore.get()).toEqual({
      loaded: true,
      customer: {
        id: 'cus_1',
        email: 'ann@example.com',
        name: 'Ann',
        phone: '',
        pendingEmail: '',
        mfaRequired: false,
        betaTester: true,
        language: null,
      },
    });
  });

  test('is not requested without a token', async () => {
    openPage();
    const requests = answerFetches(() => json(ANN));
    await loadProfile();
    expect(requests).toEqual([]);
  });

  test('reads missing optional fields as empty', async () => {
    const { id, email, name } = ANN;
    answerFetches(() => json({ id, email, name }));
    await loadProfile();
    expect(profileStore.get().customer).toMatchObject({
      phone: '',
      pendingEmail: '',
      mfaRequired: false,
      betaTester: false,
    });
  });

  test('clears the session when it is rejected', async () => {
    answerFetches(() => json({}, 401));
    await loadProfile();
    expect(readToken()).toBeNull();
    expect(page.reports).toEqual([]);
  });

  test.each([
    ['an error of the server', () => json({}, 500)],
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('reports %s and does not block the screen', async (_, answer) => {
    answerFetches(answer);
    await expect(loadProfile()).resolves.toBeUndefined();
    expect(profileStore.get().loaded).toBe(false);
    expect(page.reports).toHaveLength(1);
  });

  test('changes only the sent fields after an update', async () => {
    answerFetches(() => json(ANN));
    await loadProfile();
    answerFetches(() => json({ ...ANN, name: 'Ann B', phone: '+15550100', email: 'other@example.com' }));
    await changeProfile({ name: ' Ann B ' });
    expect(profileStore.get().customer).toMatchObject({ name: 'Ann B', phone: '', email: 'ann@example.com' });
  });

  test('rejects a change only when the response contains an error', async () => {
    answerFetches(() => json({}));
    await expect(changeProfile({ pendingEmail: '' })).resolves.toBeUndefined();
    answerFetches(() => json({ error: 'Name is too long' }, 422));
    await expect(changeProfile({ name: 'x' })).rejects.toThrow('Name is too long');
    expect(profileStore.get().customer.name).toBe('');
  });

  test('sends an update with snake case keys', async () => {
    const requests = answerFetches(() => json({}));
    await changeProfile({ mfaRequired: true });
    expect(requests[0]?.init).toMatchObject({ method: 'PATCH', body: '{"mfa_required":true}' });
  });

  test('is deleted completely when the session is cleared', async () => {
    answerFetches(() => json(ANN));
    await loadProfile();
    void clearSession();
    expect(profileStore.get()).toMatchObject({
      loaded: false,
      customer: { id: '', name: '', betaTester: false },
    });
  });

  test('is discarded when another customer has signed in before it arrives', async () => {
    answerFetches(() => {
      startSession('another');
      return json(ANN);
    });
    await loadProfile();
    expect(profileStore.get().loaded).toBe(false);
  });
});
