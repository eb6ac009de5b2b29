import { describe, expect, it } from 'vitest';
import { createBrowser, decryptPush } from '#sandbox/push-service/browsers.ts';
import { encryptPush, isPublicKey } from '#server/push/encrypt-push.ts';

describe('encryptPush', () => {
  it('encrypts the example of RFC 8291, appendix A, as it is printed there', () => {
    const encrypted = encryptPush(
      'When I grow up, I want to be a watermelon',
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      {
        random: {
          salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
          privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
        },
        paddedTo: 1,
      },
    );
    expect(encrypted.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  it('is read by the browser it is for, and by no other', () => {
    const browser = createBrowser();
    const encrypted = encryptPush('Ihre Fähre ist verspätet', browser);
    expect(decryptPush(browser, encrypted)).toBe('Ihre Fähre ist verspätet');
    expect(() => decryptPush({ ...createBrowser(), auth: browser.auth }, encrypted)).toThrow();
  });

  it('hides the length of short texts', () => {
    const browser = createBrowser();
    expect(encryptPush('late', browser)).toHaveLength(encryptPush('canceled', browser).length);
  });
});

describe('isPublicKey', () => {
  it('accepts points on the curve and nothing else', () => {
    expect(isPublicKey(createBrowser().p256dh)).toBe(true);
    expect(isPublicKey(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url'))).toBe(
      false,
    );
    expect(isPublicKey('')).toBe(false);
  });
});
