import { vi } from 'vitest';

type Request = CredentialRequestOptions & { publicKey: PublicKeyCredentialRequestOptions };

/** A browser with passkeys. The test decides when and how each request ends. */
export function stubPasskeys({ hasAutofill = false } = {}) {
  const requests: {
    request: Request;
    /** The user chooses their passkey. */
    choose: () => void;
    /** Browsers throw the same error for a dialog that was closed, timed out or not allowed. */
    refuse: (error?: Error) => void;
  }[] = [];
  const signals: unknown[] = [];
  const get = (request: Request) =>
    new Promise((resolve, reject) => {
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
      requests.push({
        request,
        choose: () => resolve(CREDENTIAL),
        refuse: (error = new DOMException('The operation was not allowed.', 'NotAllowedError')) =>
          reject(error),
      });
    });
  const features = {
    isConditionalMediationAvailable: async () => hasAutofill,
    signalUnknownCredential: async (signal: unknown) => void signals.push(signal),
  };
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, features),
  );
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  return { requests, signals };
}

export const PASSKEY_CHALLENGE = {
  temp: `challenge.${'c'.repeat(40)}`,
  options: {
    challenge: 'Y2hhbGxlbmdl',
    rpId: 'ferry.localhost',
    allowCredentials: [],
    userVerification: 'preferred',
  },
};

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

const CREDENTIAL = {
  id: 'cGFzc2tleQ',
  rawId: bytes('passkey'),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response: {
    authenticatorData: bytes('data'),
    clientDataJSON: bytes('{}'),
    signature: bytes('signature'),
    userHandle: bytes('owner'),
  },
};
