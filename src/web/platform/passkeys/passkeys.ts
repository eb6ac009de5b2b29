import { getPasskeyChallenge } from '#contract/identity/sign-in/endpoints.ts';
import type { getStaffPasskeyChallenge } from '#contract/staff/endpoints.ts';
import { Verbatim } from '../api/case-conversion.ts';
import { requestVerbatim } from '../api/request.ts';
import { createStore } from '../create-store.ts';

export type PasskeyChallenge = typeof getPasskeyChallenge | typeof getStaffPasskeyChallenge;

/** `temp` and `response` go to the server; the other fields identify the passkey. */
export type PasskeyResponse = { temp: string; response: Verbatim; rpId: string; credentialId: string };

export function canUsePasskeys(): boolean {
  return passkeyFeatures() !== null;
}

/** Whether the browser suggests passkeys in the email field. */
export async function canAutofillPasskeys(): Promise<boolean> {
  return (
    (await passkeyFeatures()
      ?.isConditionalMediationAvailable?.()
      .catch(() => false)) === true
  );
}

/**
 * Opens the browser's dialog, or with `isAutofill` waits for a suggestion to be chosen. A second call cancels the
 * first.
 */
export async function requestPasskey({
  isAutofill = false,
  challenge = getPasskeyChallenge,
}: {
  isAutofill?: boolean;
  /** Of customers or of staff. */
  challenge?: PasskeyChallenge;
} = {}): Promise<PasskeyResponse> {
  const own = { close: lastRequest.get()?.close };
  lastRequest.set(own);
  const [{ temp, options }, { openRequest, closeRequest }] = await Promise.all([
    // Another standard defines the keys of the options.
    requestVerbatim(challenge),
    import('./browser-passkeys.ts'),
  ]);
  if (lastRequest.get() !== own) throw new DOMException('This request is no longer wanted.', 'AbortError');
  own.close = closeRequest;
  const response = await openRequest(options, isAutofill);
  const rpId = typeof options.rpId === 'string' ? options.rpId : window.location.hostname;
  return { temp, response: new Verbatim(response), rpId, credentialId: response.id };
}

/** Cancels `requestPasskey`, which rejects with an AbortError. */
export function cancelPasskeyRequest(): void {
  lastRequest.get()?.close?.();
  lastRequest.set(null);
}

/** True for a request that was canceled, refused by the device or timed out: browsers report all three alike. */
export function isCanceled(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return [error, error.cause].some(
    (each) => each instanceof Error && (each.name === 'NotAllowedError' || each.name === 'AbortError'),
  );
}

/** Tells the browser that the server does not know this passkey, so that it stops offering it. */
export async function reportUnknownPasskey({
  rpId,
  credentialId,
}: Pick<PasskeyResponse, 'rpId' | 'credentialId'>): Promise<void> {
  await passkeyFeatures()
    ?.signalUnknownCredential?.({ rpId, credentialId })
    .catch(() => undefined);
}

/** `close` is missing until the browser's dialog is open. */
const lastRequest = createStore<{ close: (() => void) | undefined } | null>(null);

type PasskeyFeatures = {
  isConditionalMediationAvailable?: () => Promise<boolean>;
  signalUnknownCredential?: (passkey: { rpId: string; credentialId: string }) => Promise<void>;
};

function passkeyFeatures(): PasskeyFeatures | null {
  // Missing in embedded views and insecure contexts.
  const { PublicKeyCredential: features } = globalThis as { PublicKeyCredential?: unknown };
  return typeof features === 'function' ? (features as PasskeyFeatures) : null;
}
