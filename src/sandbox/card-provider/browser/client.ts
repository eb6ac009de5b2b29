import type { ApiResult, ProviderError, ProviderObject } from './messages.ts';

/** The API's origin and the publishable key. */
export type Client = { origin: string; key: string };

const timeoutMs = 80_000;

/** Calls the API. A network failure is returned as a result, never thrown. */
export async function callApi(
  client: Client,
  method: 'GET' | 'POST',
  path: string,
  form: Record<string, string>,
): Promise<ApiResult> {
  const fields = new URLSearchParams(form).toString();
  try {
    const response = await fetch(`${client.origin}${path}${method === 'GET' ? `?${fields}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${client.key}`,
        ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(method === 'POST' ? { body: fields } : {}),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: { error?: ProviderError } & ProviderObject = await response.json();
    return body.error ? { error: body.error } : { body };
  } catch (error) {
    if (error instanceof SyntaxError)
      return { error: { type: 'api_error', message: 'The payment provider gave no readable answer.' } };
    return { error: connectionError() };
  }
}

export function connectionError(): ProviderError {
  return {
    type: 'api_connection_error',
    message:
      'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
  };
}

/** `{a: {b: 'c'}}` → `a[b]=c`, the API's form encoding. */
export function flatten(value: object, prefix = ''): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, item] of Object.entries(value)) {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (item === undefined || item === null) continue;
    if (typeof item === 'object') Object.assign(fields, flatten(item, key));
    else fields[key] = String(item);
  }
  return fields;
}

/** The merchant's page used the library incorrectly; thrown, because a retry does not help. */
export class IntegrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IntegrationError';
  }
}

export function requireObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new IntegrationError(`Invalid value for ${what}: an object is expected.`);
  return { ...value };
}
