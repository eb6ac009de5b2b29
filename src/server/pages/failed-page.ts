import { randomUUID } from 'node:crypto';
import { getErrorCode } from '#contract/client-errors.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { withRequestId } from '../core/request-id.ts';
import { sendPlainPage } from './plain-page.ts';

/** Logs why a page failed, and answers without details, with the code under which the log has them. */
export function answerFailedPage({ log }: Pick<Context, 'log'>, request: Request, error: unknown): Response {
  const requestId = randomUUID();
  withRequestId(requestId, () => log.error('page failed', describeError(error)));
  const body = `<p>Please try again in a few minutes. If it happens again, please tell us this code:
    ${getErrorCode(requestId)}</p><p><a href="/">Open the first page</a></p>`;
  return sendPlainPage(request, { title: 'Something went wrong', body }, 500, { 'X-Request-Id': requestId });
}
