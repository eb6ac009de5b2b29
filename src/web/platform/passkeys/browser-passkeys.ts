import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';

/*
 * A bundle of its own, fetched when a passkey is asked for.
 */

export function openRequest(
  options: Readonly<Record<string, unknown>>,
  isAutofill: boolean,
): Promise<AuthenticationResponseJSON> {
  // The server wrote them for the browser; the library checks them as it reads them.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill });
}

export function closeRequest(): void {
  WebAuthnAbortService.cancelCeremony();
}
