/** An answer of the API that refuses with a code. */
export function refusal(
  code: string,
  message: string,
  {
    status = 422,
    field,
    headers = {},
  }: { status?: number; field?: string; headers?: Record<string, string> } = {},
): Response {
  const error = field === undefined ? { code, message } : { code, message, field };
  const body = { success: false, data: null, errors: [error], status_code: status, error: message };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
