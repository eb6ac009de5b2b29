import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { RouterProvider } from 'react-router/dom';
import type { SecurityOverview } from '#contract/identity/security/schemas.ts';
import { withRoot } from '#web/app/root.tsx';
import { attachQueryClient, createQueryClient } from '#web/platform/query/query-client.ts';
import { attachRouter, whenReady } from '#web/platform/router/app-router.ts';
import { routes } from '#web/portal/routes.tsx';
import { answerFetches, json, success } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

type Answer = (request: { url: URL; init: RequestInit }) => Response | Promise<Response> | undefined;

export const CUSTOMER = {
  id: 'cus_00000000000000000000000001',
  email: 'robin@example.com',
  name: 'Robin Castellanos',
  phone: '',
  pending_email: '',
  mfa_required: false,
  beta_tester: false,
  language: null,
};

/** A customer whose only sign-in method is a password. */
export const OVERVIEW: SecurityOverview = {
  has_password: true,
  password_changed_at: '2026-03-03T15:12:00Z',
  mfa_required: false,
  authenticator: { status: 'none', confirmed_at: null },
  recovery_codes_left: 0,
  passkeys: 0,
};

/** An API with a valid session and no orders, unless `answer` returns another response. */
export function answerApi(answer: Answer = () => undefined) {
  return answerFetches(({ url, init }) => {
    const parsed = new URL(url, window.location.href);
    const special = answer({ url: parsed, init });
    if (special !== undefined) return special;
    if (parsed.pathname.endsWith('/sessions/ping')) return json({ success: true, errorCode: null });
    if (parsed.pathname.endsWith('/details')) return json({ success: true, ...CUSTOMER });
    if (parsed.pathname.endsWith('/customers/orders')) return listAnswer([]);
    if (parsed.pathname.endsWith('/customers/security')) return success(OVERVIEW);
    if (/\/customers\/(passkeys|sessions|security_events)$/.test(parsed.pathname)) return listAnswer([]);
    return json({ success: true, data: null, errors: [], status_code: 200 });
  });
}

export function listAnswer(items: readonly unknown[], meta: object = {}): Response {
  return success(items, {
    meta: { page: 1, page_size: 10, total_pages: 1, total_count: items.length, ...meta },
  });
}

/** Opens a page of the portal with its frame and providers. */
export async function visitPortal(...entries: string[]) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  attachQueryClient(client);
  const router = createTestRouter(withRoot(routes), entries, client);
  attachRouter(router);
  await whenReady(router);
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, client };
}
