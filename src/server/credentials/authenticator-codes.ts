import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the parameters that authenticator apps support. */
const STANDARD = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Steps before and after the current one that are accepted, because phones' clocks differ. */
const WINDOW = 1;

/** A new secret, base 32. */
export function newAuthenticatorSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** A secret made of random bytes, of which the first twenty count. */
export function encodeAuthenticatorSecret(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes.subarray(0, SECRET_BYTES)).buffer }).base32;
}

/** The six digits of a secret at an instant. */
export function computeAuthenticatorCode(secret: string, at: Date): string {
  return new TOTP({ ...STANDARD, secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/** The content of the QR code for authenticator apps. */
export function authenticatorUri(
  secret: string,
  { issuer, label }: { issuer: string; label: string },
): string {
  return new TOTP({ ...STANDARD, issuer, label, secret: Secret.fromBase32(secret) }).toString();
}

/** The 30-second step since 1970 that six digits are valid for; null if they match no step within the window. */
export function findTimeStep(secret: string, code: string, at: Date): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null;
  const timestamp = at.getTime();
  const distance = TOTP.validate({
    ...STANDARD,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: WINDOW,
  });
  return distance === null ? null : TOTP.counter({ period: STANDARD.period, timestamp }) + distance;
}
