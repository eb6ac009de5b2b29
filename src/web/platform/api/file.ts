import { CLIENT_TEXTS, STATUS } from '#contract/client-errors.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { ConnectionReason } from '#contract/worker-messages.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { markUnavailable } from '../connection/connection.ts';
import { reportFailedCall } from '../reporting/reporting.ts';
import { readToken, rejectSession } from '../session/session.ts';
import type { ApiError } from './api-error.ts';
import { type QueryInput, queryString } from './query-string.ts';
import { isToldReported, toApiError } from './request.ts';
import type { InputArgs } from './request-types.ts';
import { buildPath } from './send.ts';

export type DownloadedFile = { name: string; contents: Blob };

const TIMEOUT = 30_000;

/**
 * Downloads a file that needs the session, which a link cannot send.
 * @throws {ApiError}
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  ...[input]: InputArgs<E>
): Promise<DownloadedFile> {
  const path = buildPath(endpoint, input);
  const token = readToken();
  const response = await fetch(path + queryString((input ?? {}) as QueryInput), {
    headers: {
      'accept-language': textLanguage(),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    credentials: 'same-origin',
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch(() => null);
  if (response === null) throw unreachable();
  // An HTML page instead of a file comes from a proxy or a captive portal.
  if (response.ok && /\bhtml\b/.test(response.headers.get('content-type') ?? '')) {
    throw unreachable('bad-content');
  }
  if (response.status === STATUS.unauthorized) rejectSession(token);
  if (!response.ok) throw await readRefusal(path, response);
  try {
    return { name: fileName(response), contents: await response.blob() };
  } catch {
    throw unreachable();
  }
}

function unreachable(why: ConnectionReason = 'network'): ApiError {
  markUnavailable(why);
  return toApiError({ error: t(CLIENT_TEXTS.tryAgain), status_code: STATUS.network });
}

async function readRefusal(path: string, response: Response): Promise<ApiError> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => null);
  const fields = typeof body === 'object' && body !== null ? body : {};
  const requestId = response.headers.get('x-request-id');
  const refusal = toApiError({
    ...fields,
    error: t(CLIENT_TEXTS.reported),
    status_code: status,
    ...(requestId ? { request_id: requestId } : {}),
  });
  if (isToldReported(refusal, status)) {
    reportFailedCall('GET', path, { status, requestId }, refusal);
  }
  return refusal;
}

function fileName(response: Response): string {
  const disposition = response.headers.get('content-disposition') ?? '';
  return /filename="([^"/\\]+)"/.exec(disposition)?.[1] ?? 'download';
}
