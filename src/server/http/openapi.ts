import * as z from 'zod/mini';
import { calls } from '#contract/api.ts';
import { FILTER_OPERATORS, PageMetaSchema } from '#contract/common.ts';
import type { Call } from '#contract/endpoint.ts';
import { apiErrors, type ErrorCode } from '#contract/errors.ts';
import { sessionCookies } from '#contract/hosts.ts';
import { CustomerSchema } from '#contract/identity/accounts/schemas.ts';
import { HoldSchema, QuoteSchema } from '#contract/orders/buy/schemas.ts';
import { OrderSchema, OrderSummarySchema, PaymentSchema, TicketSchema } from '#contract/orders/schemas.ts';
import { SailingSchema } from '#contract/sailings/schemas.ts';
import { PublicSettingsSchema } from '#contract/settings/schemas.ts';
import { COOKIE_PREFIX } from '#messages/languages.ts';
import { errorReasons } from '#sentences/errors/error-reasons.ts';

type Json = Record<string, unknown>;

/** The contract as an OpenAPI 3.1 document, created once. */
export function openApiDocument(): Json {
  made ??= makeDocument();
  return made;
}

let made: Json | undefined;

function makeDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const { name, ...call } of calls) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(name, call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gangway',
      version: '0.1.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Money is in integer minor units of the currency beside it; instants are UTC; lengths are centimetres. ' +
        'Every answer is the same envelope: success, data, errors, status_code, and on failure error.',
    },
    // All hosts of an installation serve the same API.
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer' },
        staff: {
          type: 'apiKey',
          in: 'cookie',
          name: COOKIE_PREFIX + sessionCookies.staff.name,
          description: 'With the prefix `__Host-` over HTTPS',
        },
      },
      schemas: { Refusal: refusalSchema(), ...namedSchemas() },
    },
  };
}

function operation(name: string, call: Call): Json {
  return {
    operationId: name,
    summary: call.summary,
    ...(call.auth === 'staff' ? { description: `Needs the permission ${call.permission}` } : {}),
    security: security(call.auth),
    parameters: [...pathParameters(call), ...queryParameters(call), ...headerParameters(call)],
    ...(call.body
      ? {
          requestBody: {
            required: !call.isBodyOptional,
            content: json(toSchema(call.body, 'input')),
          },
        }
      : {}),
    responses: { [call.status ?? 200]: success(call), ...refusals(call) },
  };
}

function security(auth: Call['auth']): Json[] {
  const byAuth = {
    none: [],
    optional: [{}, { session: [] }],
    session: [{ session: [] }],
    staff: [{ staff: [] }],
  };
  return byAuth[auth];
}

function pathParameters({ path }: Call): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query, list }: Call): Json[] {
  const parameters: Json[] = [];
  if (query) {
    const { properties = {}, required = [] } = toSchema(query, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    for (const [name, schema] of Object.entries(properties)) {
      const isObject = schema.type === 'object';
      parameters.push({
        name,
        in: 'query',
        required: required.includes(name),
        schema,
        ...(isObject ? { style: 'deepObject', explode: true } : {}),
      });
    }
  }
  return list ? [...parameters, ...listParameters(Object.keys(list.fields))] : parameters;
}

function listParameters(fields: readonly string[]): Json[] {
  return [
    { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
    {
      name: 'filters',
      in: 'query',
      required: false,
      description:
        'filters[i][field], filters[i][op] and filters[i][value]; i counts from 0 without holes; ' +
        'for in and not_in the value repeats as filters[i][value][].',
      style: 'deepObject',
      explode: true,
      schema: {
        type: 'array',
        maxItems: 20,
        items: {
          type: 'object',
          required: ['field', 'op', 'value'],
          properties: {
            field: { enum: fields },
            op: { enum: FILTER_OPERATORS },
            value: {
              oneOf: [{ type: 'string' }, { type: 'array', maxItems: 100, items: { type: 'string' } }],
            },
          },
        },
      },
    },
  ];
}

function headerParameters({ idempotency }: Call): Json[] {
  if (!idempotency) return [];
  const schema = { type: 'string', minLength: 8, maxLength: 128 };
  return [{ name: 'Idempotency-Key', in: 'header', required: idempotency === 'required', schema }];
}

function success({ response, list, status: created }: Call): Json {
  if ('mediaType' in response) return { description: 'Done', content: { [response.mediaType]: {} } };
  const schema = {
    type: 'object',
    required: ['success', 'data', 'errors', 'status_code', ...(list ? ['meta'] : [])],
    properties: {
      success: { const: true },
      data: answerSchema(response),
      errors: { type: 'array', maxItems: 0 },
      status_code: { const: created ?? 200 },
      ...(list ? { meta: answerSchema(PageMetaSchema) } : {}),
    },
  };
  return { description: 'Done', content: json(schema) };
}

/** Error responses by status, each with its possible codes. */
function refusals(call: Call): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(listCodes(call))) {
    const { status } = apiErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = [...byStatus].map(([status, codes]): [string, Json] => [
    String(status),
    { description: codes.join(', '), content: json({ $ref: '#/components/schemas/Refusal' }) },
  ]);
  return Object.fromEntries(answers);
}

function listCodes({ method, auth, query, list, body, idempotency, errors = [] }: Call): ErrorCode[] {
  return [
    ...errors,
    ...(auth === 'session' || auth === 'staff' ? (['unauthenticated', 'session_expired'] as const) : []),
    ...(query || list ? (['invalid_input'] as const) : []),
    ...(body
      ? ([
          'malformed_request',
          'payload_too_large',
          'unsupported_media_type',
          'invalid_input',
          'unknown_field',
        ] as const)
      : []),
    ...(auth === 'staff' ? (['not_permitted'] as const) : []),
    ...(idempotency === 'required' ? (['idempotency_key_required'] as const) : []),
    ...(idempotency ? (['idempotency_mismatch', 'request_in_progress'] as const) : []),
    ...(method === 'GET' ? [] : (['forbidden_origin'] as const)),
    'internal_server_error',
  ];
}

function refusalSchema(): Json {
  const error = {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string' },
      reason: {
        enum: Object.keys(errorReasons),
        description: 'Finer than the code, where that has several causes',
      },
      params: { type: 'object', description: 'The values in the message of a reason, by name' },
      message: { type: 'string', description: 'What a customer reads, in the language of the request' },
      field: { type: 'string', description: 'Dotted path of the field that is wrong' },
      details: { type: 'object' },
    },
  };
  return {
    type: 'object',
    required: ['success', 'data', 'errors', 'status_code', 'error'],
    properties: {
      success: { const: false },
      data: { type: 'null' },
      errors: { type: 'array', minItems: 1, items: error },
      status_code: { type: 'integer' },
      error: { type: 'string' },
    },
  };
}

/** Schemas shared by several calls become components. */
const named: Readonly<Record<string, z.ZodMiniType>> = {
  Customer: CustomerSchema,
  Hold: HoldSchema,
  Order: OrderSchema,
  OrderSummary: OrderSummarySchema,
  PageMeta: PageMetaSchema,
  Payment: PaymentSchema,
  Quote: QuoteSchema,
  Sailing: SailingSchema,
  Ticket: TicketSchema,
  PublicSettings: PublicSettingsSchema,
};

function namedSchemas(): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, toSchema(schema, 'output')]),
  );
}

function answerSchema(schema: z.ZodMiniType): Json {
  const item = schema instanceof z.ZodMiniArray ? (schema.def.element as z.ZodMiniType) : null;
  const reference = referenceTo(item ?? schema);
  if (reference === null) return toSchema(schema, 'output');
  return item ? { type: 'array', items: reference } : reference;
}

function referenceTo(schema: z.ZodMiniType): Json | null {
  const name = Object.keys(named).find((each) => named[each] === schema);
  return name === undefined ? null : { $ref: `#/components/schemas/${name}` };
}

function toSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}
