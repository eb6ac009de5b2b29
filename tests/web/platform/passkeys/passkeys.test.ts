import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  canAutofillPasskeys,
  cancelPasskeyRequest,
  canUsePasskeys,
  isCanceled,
  reportUnknownPasskey,
  requestPasskey,
} from '#web/platform/passkeys/passkeys.ts';
import { answerFetches, openPage, success } from '../page.ts';
import { PASSKEY_CHALLENGE, stubPasskeys } from './fake-passkeys.ts';

beforeEach(() => {
  openPage();
  answerFetches(() => success(PASSKEY_CHALLENGE));
});
afterEach(() => {
  cancelPasskeyRequest();
  vi.unstubAllGlobals();
});

describe('requestPasskey', () => {
  test('passes the server’s options to the browser and returns its response', async () => {
    const { requests } = stubPasskeys();
    const pending = requestPasskey();
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    const { request, choose } = requests[0]!;
    expect(request.publicKey).toMatchObject({ rpId: 'ferry.localhost', userVerification: 'preferred' });
    expect(new TextDecoder().decode(request.publicKey.challenge)).toBe('challenge');
    expect(request.mediation).toBeUndefined();
    choose();
    const { temp, response, rpId, credentialId } = await pending;
    expect({ temp, rpId, credentialId }).toEqual({
      temp: PASSKEY_CHALLENGE.temp,
      rpId: 'ferry.localhost',
      credentialId: 'cGFzc2tleQ',
    });
    expect(response.value).toMatchObject({ rawId: 'cGFzc2tleQ', response: { clientDataJSON: 'e30' } });
  });

  test('cancels the previous request when it is called again', async () => {
    const { requests } = stubPasskeys();
    const first = requestPasskey().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    const second = requestPasskey();
    expect(isCanceled(await first)).toBe(true);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    requests[1]!.choose();
    expect((await second).credentialId).toBe('cGFzc2tleQ');
  });

  test('opens no dialog if it is canceled while the challenge loads', async () => {
    const { requests } = stubPasskeys();
    const pending = requestPasskey().catch((error: unknown) => error);
    cancelPasskeyRequest();
    expect(isCanceled(await pending)).toBe(true);
    expect(requests).toHaveLength(0);
  });

  test('counts a closed dialog as canceled, and any other failure as an error', async () => {
    const { requests } = stubPasskeys();
    const closed = requestPasskey().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.refuse();
    expect(isCanceled(await closed)).toBe(true);
    const broken = requestPasskey().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    requests[1]!.refuse(new DOMException('The domain is wrong.', 'SecurityError'));
    expect(isCanceled(await broken)).toBe(false);
  });
});

test('nothing is requested from a browser without passkeys', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  expect(canUsePasskeys()).toBe(false);
  expect(await canAutofillPasskeys()).toBe(false);
  await reportUnknownPasskey({ rpId: 'ferry.localhost', credentialId: 'x' });
});

test('canAutofillPasskeys returns what the browser reports', async () => {
  stubPasskeys({ hasAutofill: true });
  expect(await canAutofillPasskeys()).toBe(true);
  stubPasskeys({ hasAutofill: false });
  expect(await canAutofillPasskeys()).toBe(false);
});

test('reportUnknownPasskey tells the browser about a passkey unknown to the server', async () => {
  const { signals } = stubPasskeys();
  await reportUnknownPasskey({ rpId: 'ferry.localhost', credentialId: 'cGFzc2tleQ' });
  expect(signals).toEqual([{ rpId: 'ferry.localhost', credentialId: 'cGFzc2tleQ' }]);
});
