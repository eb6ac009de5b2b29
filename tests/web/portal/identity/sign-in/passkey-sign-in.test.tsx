import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { PASSKEY_CHALLENGE, stubPasskeys } from '#tests/web/platform/passkeys/fake-passkeys.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { readToken } from '#web/platform/session/session.ts';

let page: ReturnType<typeof openPage>;
let answerVerify: () => Response;
let apiRequests: ReturnType<typeof answerApi>;
beforeEach(() => {
  page = openPage();
  answerVerify = () => success({ token: TOKEN });
  apiRequests = answerApi(({ url }) => {
    if (url.pathname.endsWith('/passkey/challenge')) return success(PASSKEY_CHALLENGE);
    return url.pathname.endsWith('/passkey/verify') ? answerVerify() : undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const button = () => screen.getByRole('button', { name: 'Use a passkey' });

describe('signing in with the passkey button', () => {
  test('signs in without a name or a password', async () => {
    const { requests } = stubPasskeys();
    const { router } = await visitPortal('/sign_in');
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]!.request.mediation).toBeUndefined();
    requests[0]!.choose();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(readToken()).toBe(TOKEN);
    const body = JSON.parse(
      String(apiRequests.find(({ url }) => url.endsWith('/passkey/verify'))?.init.body),
    );
    expect(body).toMatchObject({
      temp: PASSKEY_CHALLENGE.temp,
      response: { rawId: 'cGFzc2tleQ', response: { clientDataJSON: 'e30', userHandle: 'b3duZXI' } },
    });
    expect(body).not.toHaveProperty('first_temp');
  });

  test('says that no passkey was used after a refusal, which is not reported, and can be repeated', async () => {
    const { requests } = stubPasskeys();
    await visitPortal('/sign_in');
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.refuse();
    const text = 'No passkey was used. You can try again, or sign in another way.';
    expect(await screen.findByText(text)).toBeTruthy();
    expect(page.reports).toEqual([]);
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(2));
  });

  test('says that the browser cannot use the passkey here', async () => {
    const { requests } = stubPasskeys();
    await visitPortal('/sign_in');
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.refuse(new DOMException('The relying party is wrong.', 'SecurityError'));
    expect(await screen.findByText(/^That passkey could not be used here\./)).toBeTruthy();
  });

  test('says that the passkey is unknown and tells the browser', async () => {
    const { requests, signals } = stubPasskeys();
    answerVerify = () => refusal('unknown_credential', 'We do not know that passkey.');
    await visitPortal('/sign_in');
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.choose();
    expect(await screen.findByText('We do not know that passkey.')).toBeTruthy();
    expect(signals).toEqual([{ rpId: 'ferry.localhost', credentialId: 'cGFzc2tleQ' }]);
  });

  test('does not tell the browser about a passkey that could not be checked', async () => {
    const { requests, signals } = stubPasskeys();
    answerVerify = () => refusal('passkey_refused', 'That passkey could not be checked. Please try again.');
    await visitPortal('/sign_in');
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.choose();
    expect(await screen.findByText(/could not be checked/)).toBeTruthy();
    expect(signals).toEqual([]);
  });
});

describe('passkey suggestions in the email field', () => {
  test('are requested at once, and choosing one signs in', async () => {
    const { requests } = stubPasskeys({ hasAutofill: true });
    const { router } = await visitPortal('/sign_in');
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]!.request.mediation).toBe('conditional');
    requests[0]!.choose();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
  });

  test('are not requested where the browser does not support them', async () => {
    const { requests } = stubPasskeys({ hasAutofill: false });
    await visitPortal('/sign_in');
    await screen.findByLabelText('Email');
    expect(apiRequests.some(({ url }) => url.endsWith('/challenge'))).toBe(false);
    expect(requests).toEqual([]);
  });

  test('are canceled by the button’s dialog and requested again after it', async () => {
    const { requests } = stubPasskeys({ hasAutofill: true });
    await visitPortal('/sign_in');
    await waitFor(() => expect(requests).toHaveLength(1));
    await userEvent.click(button());
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[0]!.request.signal?.aborted).toBe(true);
    expect(requests[1]!.request.mediation).toBeUndefined();
    requests[1]!.refuse();
    await waitFor(() => expect(requests).toHaveLength(3));
    expect(requests[2]!.request.mediation).toBe('conditional');
  });

  test('are canceled on another page', async () => {
    const { requests } = stubPasskeys({ hasAutofill: true });
    const { router } = await visitPortal('/sign_in');
    await waitFor(() => expect(requests).toHaveLength(1));
    await router.navigate('/password/reset');
    await screen.findByRole('heading', { name: 'Reset your password' });
    await waitFor(() => expect(requests[0]!.request.signal?.aborted).toBe(true));
    expect(page.reports).toEqual([]);
  });

  test('are requested with a new challenge after an expired one', async () => {
    const { requests } = stubPasskeys({ hasAutofill: true });
    answerVerify = () => refusal('attempt_expired', 'That took too long. Please start signing in again.');
    await visitPortal('/sign_in');
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.choose();
    expect(await screen.findByText('That took too long. Please start signing in again.')).toBeTruthy();
    await waitFor(() => expect(requests).toHaveLength(2));
  });

  test('are requested again when the customer returns to a page left open', async () => {
    const { requests } = stubPasskeys({ hasAutofill: true });
    await visitPortal('/sign_in');
    await waitFor(() => expect(requests).toHaveLength(1));
    document.dispatchEvent(new Event('visibilitychange'));
    const later = Date.now() + 5 * 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(requests).toHaveLength(2));
    vi.restoreAllMocks();
  });

  test('show no message when they fail', async () => {
    answerApi(({ url }) =>
      url.pathname.endsWith('/challenge') ? refusal('rate_limited', 'Too many.', { status: 429 }) : undefined,
    );
    stubPasskeys({ hasAutofill: true });
    await visitPortal('/sign_in');
    await screen.findByLabelText('Email');
    await new Promise((resolve) => setTimeout(resolve));
    expect(screen.queryByText('Too many.')).toBeNull();
    expect(page.reports).toEqual([]);
  });
});
