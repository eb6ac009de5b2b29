import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';

/** Opens the browser's dialog; throws if it was closed, or if this device already has a passkey. */
export function createPasskey(options: Readonly<Record<string, unknown>>): Promise<unknown> {
  // The library checks the server's options.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON });
}
