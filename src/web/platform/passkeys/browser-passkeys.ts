import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';

/*
 * A separate chunk, loaded when a passkey is requested.
 */

export function openRequest(
  options: Readonly<Record<string, unknown>>,
  isAutofill: boolean,
): Promise<AuthenticationResponseJSON> {
  // The library validates the server's options.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill });
}

export function closeRequest(): void {
  WebAuthnAbortService.cancelCeremony();
}
