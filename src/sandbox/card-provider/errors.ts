import type { IntentKind } from './records.ts';
import type { Decline } from './test-cards.ts';

/** The `error` object of a refused call, in the provider's format. */
export type ErrorBody = {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  advice_code?: string;
  network_decline_code?: string;
  payment_intent?: object;
  setup_intent?: object;
  payment_method?: object;
  request_log_url?: string;
};

/** A call refused before it had any effect; nothing is stored, not even for its Idempotency-Key. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export function invalid(message: string, param?: string, code?: string): ApiRefusal {
  return buildRefusal(400, { type: 'invalid_request_error', message }, param, code);
}

/** The card is invalid: wrong digits, or expired. */
export function unusableCard(message: string, param: string, code: string): ApiRefusal {
  return buildRefusal(402, { type: 'card_error', message }, param, code);
}

/** 404 if the path names it, 400 if a parameter does. */
export function noSuch(kind: string, id: string, param: string, status: 400 | 404): ApiRefusal {
  const message = `No such ${kind}: '${id.slice(0, 100)}'`;
  return buildRefusal(status, { type: 'invalid_request_error', message }, param, 'resource_missing');
}

export function unexpectedState(message: string, intent: object): ApiRefusal {
  const kind = 'object' in intent && intent.object === 'setup_intent' ? 'setup_intent' : 'payment_intent';
  const body: ErrorBody = { type: 'invalid_request_error', message, [kind]: intent };
  return buildRefusal(400, body, undefined, `${kind}_unexpected_state`);
}

export function unauthorized(message: string, code?: string): ApiRefusal {
  return buildRefusal(401, { type: 'invalid_request_error', message }, undefined, code);
}

function buildRefusal(status: number, body: ErrorBody, param?: string, code?: string): ApiRefusal {
  return new ApiRefusal(status, withDetails(body, param, code));
}

/** The `error` of a 402 for a decline. */
export function declineError(decline: Decline, about: Partial<ErrorBody> = {}): ErrorBody {
  const { declineCode, message, param, code } = decline;
  const body = { ...(declineCode ? { decline_code: declineCode } : {}), message, ...about };
  return withDetails({ type: 'card_error', ...body }, param, code);
}

/** The error of an intent whose challenge the cardholder failed. */
export function authenticationFailure(kind: IntentKind, about: Partial<ErrorBody> = {}): ErrorBody {
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  const code = `${kind}_authentication_failure`;
  return withDetails({ type: 'invalid_request_error', message, ...about }, undefined, code);
}

function withDetails(body: ErrorBody, param: string | undefined, code: string | undefined): ErrorBody {
  return {
    ...body,
    ...(param ? { param } : {}),
    ...(code ? { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` } : {}),
  };
}
