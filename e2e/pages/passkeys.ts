import type { Page } from '@playwright/test';

/** A platform authenticator, and whether the user's finger is on its sensor. */
export type PasskeyKeeper = { setFinger: (isThere: boolean) => Promise<void> };

/**
 * A request that begins while the finger is there is answered at once, also the one that the sign-in page leaves open
 * for the browser's suggestions: that is how a test chooses one. Nothing tells when that request has begun, so a test
 * that presses a button asks for a browser without suggestions.
 */
export async function addPasskeyKeeper(page: Page, { hasSuggestions = true } = {}): Promise<PasskeyKeeper> {
  if (!hasSuggestions) {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  }
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  return {
    async setFinger(enabled) {
      // A page in the background is refused.
      await page.bringToFront();
      await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
  };
}
