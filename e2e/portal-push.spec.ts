import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { ORIGINS, PORT } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, test } from './support/fixtures.ts';
import { type Subscription, subscribeAtStandIn } from './support/push.ts';
import { signInAndReadOrder, workerReady } from './support/saved.ts';

/** Invents a browser at the stand-in of the push services. Node does not resolve its name. */
async function createSubscription(): Promise<Subscription> {
  const { host } = new URL(ORIGINS.push);
  const { promise, resolve, reject } = Promise.withResolvers<Subscription>();
  const asked = request(
    { host: '127.0.0.1', port: PORT, path: '/api/browsers', method: 'POST', headers: { host } },
    async (response) => resolve((await json(response)) as Subscription),
  );
  asked.on('error', reject).end();
  return promise;
}

test.use({ serviceWorkers: 'allow' });

test('a customer has a phone told about an order in the portal, until it is turned off', async ({
  page,
  context,
}) => {
  await subscribeAtStandIn(context, await createSubscription());
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInAndReadOrder(page);
  await workerReady(page);
  const actions = page.getByRole('region', { name: 'What you can do' });
  await expect(
    actions.getByText('Tell me on this device if the boat is late, canceled or moved'),
  ).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await actions.getByRole('button', { name: 'Tell me' }).press('Enter');
  await expect(actions.getByText('We tell you on this device if the boat is late')).toBeVisible();
  await expect(actions.getByRole('button', { name: 'Turn off' })).toBeFocused();
  await page.reload();
  await expect(actions.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await actions.getByRole('button', { name: 'Turn off' }).press('Enter');
  await expect(actions.getByRole('button', { name: 'Tell me' })).toBeFocused();
});
