import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { handleCalls } from '#server/http/handle-calls.ts';
import { createMiddleware } from '#server/http/middleware.ts';
import { requireStepUp } from '#server/identity/security/step-up.ts';
import { findSession } from '#server/identity/sessions.ts';
import type { TestServer } from '#tests/setup/server.ts';

/** The path of a call that needs a step-up and does nothing else. */
export const LOCKED_PATH = '/api/locked';

/** Adds that call to a server. It takes an empty body. */
export function addLockedCall({ app, context }: TestServer): void {
  const calls = describeCalls(
    { lock: { method: 'POST', path: LOCKED_PATH, auth: 'session' } },
    {
      lock: {
        summary: 'Needs a step-up',
        body: z.strictObject({}),
        response: z.null(),
        errors: ['step_up_required'],
      },
    },
  );
  handleCalls(
    app,
    {
      ...context,
      findSessions: {
        customer: (credentials) => findSession(context, credentials),
        staff: async () => null,
      },
      middleware: createMiddleware(context),
    },
    {
      calls,
      handlers: {
        lock: ({ session }) => requireStepUp(context, session),
      },
    },
  );
}
