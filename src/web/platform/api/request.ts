import { CLIENT_TEXTS, STATUS } from '#contract/client-errors.ts';
import type { PageMeta, ApiError as WireError } from '#contract/common.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { t } from '#web/language/texts.ts';
import { reportFailedCall } from '../reporting/reporting.ts';
import { ApiError, isReported } from './api-error.ts';
import { type CamelCased, camelCased } from './case-conversion.ts';
import type { DataOf, InputArgs, WireDataOf } from './request-types.ts';
import { buildPath, type RequestInput, send } from './send.ts';

/**
 * Makes a call and answers its data in camel case. The types of what it takes and answers follow from the endpoint.
 * @throws {ApiError} for a refusal, and for a call that got no answer
 */
export async function request<E extends Endpoint>(endpoint: E, ...[input]: InputArgs<E>): Promise<DataOf<E>> {
  const { data } = await readBody(endpoint, input);
  return camelCased(data) as DataOf<E>;
}

/** One page of a list. `meta` says where in the list it is; null from a server that does not say. */
export type Page<Data> = { data: Data; meta: CamelCased<PageMeta> | null };

/** The same for a list. */
export async function requestPage<E extends Endpoint>(
  endpoint: E,
  ...[input]: InputArgs<E>
): Promise<Page<DataOf<E>>> {
  const { data, meta } = await readBody(endpoint, input);
  return {
    data: camelCased(data) as DataOf<E>,
    meta: meta ? (camelCased(meta) as CamelCased<PageMeta>) : null,
  };
}

/** The same with the keys as they came, for what another standard spells. */
export async function requestVerbatim<E extends Endpoint>(
  endpoint: E,
  ...[input]: InputArgs<E>
): Promise<WireDataOf<E>> {
  const { data } = await readBody(endpoint, input);
  return data as WireDataOf<E>;
}

/**
 * A failed call of the older style: `error` is the text to show, beside whatever else the server said. A failure that was
 * reported has a `request_id`, undefined from a server that does not say.
 */
export type OlderFailure = {
  error: string;
  status_code: number;
  request_id?: string | undefined;
  [field: string]: unknown;
};
export type OlderResult<Data> = (Data & { error?: undefined; status_code: number }) | OlderFailure;

/** The older style: never throws except for the caller's own abort; fields keep their wire names. */
export async function requestOlder<E extends Endpoint>(
  endpoint: E,
  ...[input]: InputArgs<E>
): Promise<OlderResult<WireDataOf<E>>> {
  const answer = await send(endpoint, input);
  if (answer.kind !== 'answer') return { error: t(CLIENT_TEXTS.tryAgain), status_code: STATUS.network };
  const { status, body, requestId } = answer;
  const status_code = getStatus(status, body);
  if (status >= 200 && status < 300 && body.success !== false && !body.error) {
    return { ...body, status_code } as OlderResult<WireDataOf<E>>;
  }
  const text = serverText(body);
  const meaning = olderMeaning(status);
  const error = text ?? t(CLIENT_TEXTS[meaning]);
  const [first] = serverErrors(body);
  const wasReported =
    status !== STATUS.unauthorized && (first ? isReported(first) : text === null && meaning === 'reported');
  if (!wasReported) return { ...body, error, status_code };
  reportFailedCall(endpoint.method, buildPath(endpoint, input), { status, requestId });
  return { ...body, error, status_code, request_id: requestId ?? undefined };
}

/** A failure of the older style as the newer one throws it. */
export function toApiError(failure: OlderFailure): ApiError {
  const [first, ...rest] = serverErrors(failure);
  const code = failure.status_code === STATUS.network ? 'network_error' : 'unknown_error';
  const errors = [first ?? { code, message: failure.error }, ...rest] as const;
  return new ApiError(failure.status_code, errors, { requestId: failure.request_id ?? null });
}

async function readBody(endpoint: Endpoint, input: RequestInput = {}): Promise<Record<string, unknown>> {
  const answer = await send(endpoint, input);
  if (answer.kind !== 'answer') throw new ApiError(STATUS.network, [clientError('network_error')]);
  const { status, body, retryAfter = null, requestId = null } = answer;
  if (status >= 200 && status < 300 && body.success === true) return body;
  const [first, ...rest] = status >= STATUS.serverError && !isServerBusy(body) ? [] : serverErrors(body);
  const errors = [first ?? clientError(failureCode(status)), ...rest] as const;
  const failure = new ApiError(getStatus(status, body), errors, { retryAfter, requestId });
  if (isToldReported(failure, status))
    reportFailedCall(endpoint.method, buildPath(endpoint, input), { status, requestId }, failure);
  throw failure;
}

/** Not a fault to report: the server says what to do, and a later try succeeds. */
function isServerBusy(body: Record<string, unknown>): boolean {
  const busy: ErrorCode = 'server_busy';
  return serverErrors(body)[0]?.code === busy;
}

/** The customer reads that the failure has been reported. A 401 leads to sign-in without showing its text. */
export function isToldReported(failure: Pick<WireError, 'code'>, status: number): boolean {
  return isReported(failure) && status !== STATUS.unauthorized;
}

/** What a failure means of which the server says nothing. */
function olderMeaning(status: number): keyof typeof CLIENT_TEXTS {
  if (status >= STATUS.serverError) return 'tryAgain';
  if (status === STATUS.unprocessable) return 'checkAndTryAgain';
  return status >= STATUS.badRequest ? 'reported' : 'plain';
}

function serverText(body: Record<string, unknown>): string | null {
  return typeof body.error === 'string' && body.error !== '' ? body.error : null;
}

function clientError(code: 'network_error' | ReturnType<typeof failureCode>): WireError {
  return { code, message: t(code === 'network_error' ? CLIENT_TEXTS.tryAgain : CLIENT_TEXTS.reported) };
}

function failureCode(status: number): 'internal_server_error' | 'unknown_error' {
  return status >= STATUS.serverError ? 'internal_server_error' : 'unknown_error';
}

function getStatus(status: number, body: Record<string, unknown>): number {
  return typeof body.status_code === 'number' ? body.status_code : status;
}

function serverErrors(body: Record<string, unknown>): WireError[] {
  return Array.isArray(body.errors) ? body.errors.filter(isWireError) : [];
}

function isWireError(value: unknown): value is WireError {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}
