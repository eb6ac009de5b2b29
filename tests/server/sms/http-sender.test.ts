import { describe, expect, it } from 'vitest';
import { createHttpSmsSender } from '#server/sms/http-sender.ts';

const ACCOUNT = {
  url: 'https://sms.example/2010-04-01/Accounts/AC1/Messages.json',
  ...{ account: 'AC1', key: 'secret', from: 'Harbor Line' },
};
const message = { to: '+12065550123', text: 'Your boat is late' };

/** What the provider is asked, and what it answers. */
async function sendTo(answer: Response | Error) {
  const asked: Request[] = [];
  const sender = createHttpSmsSender(ACCOUNT, async (request) => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { outcome: await sender.send({ ...message, validSeconds: 99_999 }), request: asked[0] };
}

const answer = (status: number, headers = {}) => new Response(null, { status, headers });

describe('createHttpSmsSender', () => {
  it('posts a form with basic authentication, which other hosts are never given', async () => {
    const { outcome, request } = await sendTo(answer(201));
    expect(outcome).toBe('sent');
    expect(request).toMatchObject({ method: 'POST', url: ACCOUNT.url, redirect: 'manual' });
    expect(request?.headers.get('authorization')).toBe(`Basic ${btoa('AC1:secret')}`);
    expect(Object.fromEntries(new URLSearchParams(await request?.text()))).toEqual({
      ...{ To: message.to, From: 'Harbor Line', Body: message.text, ValidityPeriod: '36000' },
    });
  });

  it.each([
    ['a number that it does not know', answer(400), 'refused'],
    ['too many messages', answer(429, { 'retry-after': '30' }), { retryAfterSeconds: 30 }],
    ['its own failure', answer(503), { retryAfterSeconds: null }],
    ['a wrong key, which the operator can correct', answer(401), { retryAfterSeconds: null }],
    ['a redirect', answer(302, { location: 'https://elsewhere.example' }), { retryAfterSeconds: null }],
    ['no answer', new Error('timeout'), { retryAfterSeconds: null }],
  ])('understands %s', async (_, given, expected) => {
    expect((await sendTo(given)).outcome).toEqual(expected);
  });
});
