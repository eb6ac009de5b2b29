import { randomUUID } from 'node:crypto';
import { getErrorCode } from '#contract/client-errors.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { withRequestId } from '../core/request-id.ts';
import { sendPlainPage } from './plain-page.ts';

/** Logs why a page failed, and answers without details, with the code under which the log has them. */
export function answerFailedPage(
  { log }: Pick<Context, 'log'>,
  request: Request,
  { error, language }: { error: unknown; language: string },
): Response {
  const t = textsIn(language);
  const requestId = randomUUID();
  withRequestId(requestId, () => log.error('page failed', describeError(error)));
  const advice = t(
    'Please try again in a few minutes. If it happens again, please tell us this code: {code}',
    {
      code: getErrorCode(requestId),
    },
  );
  const body = `<p>${advice}</p><p><a href="/">${t('Open the first page')}</a></p>`;
  const page = { title: t('Something went wrong'), body, language };
  return sendPlainPage(request, page, 500, { 'X-Request-Id': requestId });
}
