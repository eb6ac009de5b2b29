import type { ApiError } from '#contract/common.ts';

/** An error response of the API, in the format of both call styles. */
export function refusal(
  code: string,
  message: string,
  { status = 422, retryAfter, ...error }: Partial<ApiError> & { status?: number; retryAfter?: number } = {},
): Response {
  const body = {
    success: false,
    data: null,
    errors: [{ code, message, ...error }],
    status_code: status,
    error: message,
  };
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return new Response(JSON.stringify(body), { status, headers });
}

export function stepUpRefusal(...methods: string[]): Response {
  return refusal('step_up_required', 'Please confirm that it is you.', { status: 403, details: { methods } });
}
