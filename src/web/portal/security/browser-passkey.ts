import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';

/*
 * A bundle of its own, fetched when a passkey is made.
 */

/** Opens the browser's dialog; throws when it was closed, or when this device has one already. */
export function makePasskey(options: Readonly<Record<string, unknown>>): Promise<unknown> {
  // The server wrote them for the browser; the library checks them as it reads them.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON });
}
