import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  canAutofillPasskeys,
  cancelPasskeyRequest,
  canUsePasskeys,
  isCancelled,
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

describe('asking for a passkey', () => {
  test('hands the server’s options to the browser as they are, and its answer back', async () => {
    const { requests } = stubPasskeys();
    const asked = requestPasskey();
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    const { request, choose } = requests[0]!;
    expect(request.publicKey).toMatchObject({ rpId: 'ferry.localhost', userVerification: 'preferred' });
    expect(new TextDecoder().decode(request.publicKey.challenge)).toBe('challenge');
    expect(request.mediation).toBeUndefined();
    choose();
    const { temp, response, rpId, credentialId } = await asked;
    expect({ temp, rpId, credentialId }).toEqual({
      temp: PASSKEY_CHALLENGE.temp,
      rpId: 'ferry.localhost',
      credentialId: 'cGFzc2tleQ',
    });
    expect(response.value).toMatchObject({ rawId: 'cGFzc2tleQ', response: { clientDataJSON: 'e30' } });
  });

  test('a second time ends the first, quietly', async () => {
    const { requests } = stubPasskeys();
    const first = requestPasskey().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    const second = requestPasskey();
    expect(isCancelled(await first)).toBe(true);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    requests[1]!.choose();
    expect((await second).credentialId).toBe('cGFzc2tleQ');
  });

  test('can be stopped while the challenge is still on its way: no dialog opens', async () => {
    const { requests } = stubPasskeys();
    const asked = requestPasskey().catch((error: unknown) => error);
    cancelPasskeyRequest();
    expect(isCancelled(await asked)).toBe(true);
    expect(requests).toHaveLength(0);
  });

  test('a dialog that was closed is quiet, another failure is not', async () => {
    const { requests } = stubPasskeys();
    const closed = requestPasskey().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.refuse();
    expect(isCancelled(await closed)).toBe(true);
    const broken = requestPasskey().catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    requests[1]!.refuse(new DOMException('The domain is wrong.', 'SecurityError'));
    expect(isCancelled(await broken)).toBe(false);
  });
});

test('a browser without passkeys is not asked for any', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  expect(canUsePasskeys()).toBe(false);
  expect(await canAutofillPasskeys()).toBe(false);
  await reportUnknownPasskey({ rpId: 'ferry.localhost', credentialId: 'x' });
});

test('whether there are suggestions is the browser’s to say', async () => {
  stubPasskeys({ hasAutofill: true });
  expect(await canAutofillPasskeys()).toBe(true);
  stubPasskeys({ hasAutofill: false });
  expect(await canAutofillPasskeys()).toBe(false);
});

test('the browser is told about a passkey that the server does not know', async () => {
  const { signals } = stubPasskeys();
  await reportUnknownPasskey({ rpId: 'ferry.localhost', credentialId: 'cGFzc2tleQ' });
  expect(signals).toEqual([{ rpId: 'ferry.localhost', credentialId: 'cGFzc2tleQ' }]);
});
