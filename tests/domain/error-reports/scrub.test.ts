import { describe, expect, test } from 'vitest';
import { scrub, scrubAddress } from '#domain/error-reports/scrub.ts';

describe('a report', () => {
  test.each([
    ['no e-mail', 'mail to ann.b@example.co.uk failed', 'mail to [email] failed'],
    ['no e-mail in an address', '/verify?email=ann%40example.com', '/verify?email=[private]'],
    ['no order’s id', '/orders/ord_0123456789abcdefghjkmnpqrs/confirmation', '/orders/[id]/confirmation'],
    ['no order’s reference', 'order 2NWB-2WMB is gone', 'order [code] is gone'],
    ['no token in a query', '/password/new?token=abc&x=1', '/password/new?token=[private]&x=[private]'],
    ['no token in a fragment', '/password/new#token=abc', '/password/new#token=[private]'],
    ['no token in a path', '/account/verify/abc123', '/account/verify/[token]'],
    ['no link to shared tickets', '/shared_tickets/0123456789abcdefghjkmnpqrs', '/shared_tickets/[token]'],
    ['no bearer token', 'Authorization: Bearer ses.secret', 'Authorization: Bearer [token]'],
    ['no session token', 'cookie my-session=gw_abcdefghij12', 'cookie my-session=[token]'],
    ['no other long secret', `link ${'Ab1_'.repeat(11)} used`, 'link [token] used'],
    ['no id of the card provider', 'pi_3Nabcdefgh_secret_xyz123', '[id]'],
    ['no license plate', 'vehicle 7ABC123 and B-AB 1234', 'vehicle [code] and B-[code]'],
    [
      'no last four digits',
      'card ending in 4242, Visa •••• 4242',
      'card ending in [digits], Visa •••• [digits]',
    ],
    ['no phone number', 'call +1 206 555 0142 now', 'call [number] now'],
    ['no card number', '4242 4242 4242 4242', '[number]'],
    [
      'no named field',
      '{"name":"Ann Bee","plate":"X","last_four":"4242","sailing":"s"}',
      '{"name":[private],"plate":[private],"last_four":[private],"sailing":"s"}',
    ],
    [
      'no names of travelers',
      '{"traveler_names":["Ann Bee","Cy"],"travelerName":"Ann","sailing":"s"}',
      '{"traveler_names":[private],"travelerName":[private],"sailing":"s"}',
    ],
  ])('contains %s', (_, text, scrubbed) => {
    expect(scrub(text)).toBe(scrubbed);
  });

  test('contains no name known to the page', () => {
    expect(scrub('no passenger Ann Bee, nor Bee', ['Ann Bee', 'Bee'])).toBe(
      'no passenger [private], nor [private]',
    );
  });

  test('keeps the host of an address that contains a word known to the page, and nothing else of it', () => {
    const known = ['ferry', 'Ann'];
    expect(scrubAddress('https://my.ferry.localhost:8080/people/Ann?x=1', known)).toBe(
      'https://my.ferry.localhost:8080/people/[private]',
    );
    expect(scrub('Ann at http://tickets.ferry.localhost/ferry, my.ferry', known)).toBe(
      '[private] at http://tickets.ferry.localhost/[private], my.[private]',
    );
    expect(scrub('https://Ann:x@example.com/', known)).not.toContain('Ann');
  });

  test('keeps the place of the error', () => {
    const frame =
      'at x (https://my.ferry.example/assets/trip-card-balance-history-screen-view-B3xK9q2L.js:12:345)';
    expect(scrub(frame)).toBe(frame);
    expect(scrub("Cannot read properties of undefined (reading 'legs')")).toBe(
      "Cannot read properties of undefined (reading 'legs')",
    );
  });

  test('contains addresses without query and fragment', () => {
    expect(scrubAddress('https://my.ferry.example/orders?page=2#x')).toBe('https://my.ferry.example/orders');
  });
});
