import { createHash, createHmac } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { balanceRoutes } from './api/balance.ts';
import type { Answer, Call, Route } from './api/call.ts';
import { chargeRoutes } from './api/charges.ts';
import { confirmationTokenRoutes } from './api/confirmation-tokens.ts';
import { customerRoutes } from './api/customers.ts';
import { disputeRoutes } from './api/disputes.ts';
import { eventRoutes } from './api/events.ts';
import { expandAnswer } from './api/expand.ts';
import { paymentIntentRoutes } from './api/payment-intents.ts';
import { paymentMethodRoutes } from './api/payment-methods.ts';
import { payoutRoutes } from './api/payouts.ts';
import { refundRoutes } from './api/refunds.ts';
import { setupIntentRoutes } from './api/setup-intents.ts';
import { requireAuthority, requireVersion } from './authority.ts';
import type { ProviderContext } from './context.ts';
import { ApiRefusal, invalid } from './errors.ts';
import { createId } from './ids.ts';
import { type Knobs, readKnobs, takeFailure } from './knobs.ts';
import { allowOnly, type Parameters, parseParameters, readList } from './parameters.ts';
import { apiVersion } from './records.ts';
import { beginUnit, Outdated } from './unit-of-work.ts';

const routes: readonly Route[] = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...confirmationTokenRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...balanceRoutes,
  ...payoutRoutes,
  ...eventRoutes,
];

/** Mounts the API under `/v1` of the app. */
export function serveApi(app: Hono, provider: ProviderContext): void {
  const origin = [...provider.merchantOrigins];
  const allowHeaders = ['authorization', 'content-type'];
  const exposeHeaders = ['request-id'];
  app.use('/v1/*', cors({ origin, allowMethods: ['GET', 'POST'], allowHeaders, exposeHeaders, maxAge: 600 }));
  for (const route of routes) {
    app.on(route.method, route.path, (context: Context) =>
      answerCall(provider, route, context.req.raw, context.req.param()),
    );
  }
  app.all('/v1/*', (context) => {
    const message = `Unrecognized request URL (${context.req.method}: ${context.req.path.slice(0, 200)}).`;
    const refusal = new ApiRefusal(404, { type: 'invalid_request_error', message });
    return respond(context.req.raw, createId(provider.randomSource, 'req_'), refusalAnswer(refusal));
  });
}

async function answerCall(
  provider: ProviderContext,
  route: Route,
  request: Request,
  path: Record<string, string>,
): Promise<Response> {
  const requestId = createId(provider.randomSource, 'req_');
  try {
    const knobs = await readKnobs(provider.store);
    if (knobs.latency_ms > 0) await new Promise((resolve) => setTimeout(resolve, knobs.latency_ms));
    if (knobs.api_down) throw outage(503, 'The sandbox is switched to "API down".');
    if (knobs.fail_next > 0 && (await takeFailure(provider.store, 'fail_next'))) {
      throw outage(500, 'The sandbox was told to fail this call; nothing happened.');
    }
    const { answer, replayOf } = await readAndRun(provider, route, request, path, { knobs, requestId });
    if (knobs.lose_next > 0 && (await takeFailure(provider.store, 'lose_next'))) {
      throw outage(500, 'The sandbox was told to lose this answer; the call took effect.');
    }
    return respond(request, requestId, answer, replayOf);
  } catch (error) {
    if (error instanceof ApiRefusal) return respond(request, requestId, refusalAnswer(error));
    provider.log('card provider sandbox: call failed', { path: route.path, error: String(error) });
    return respond(request, requestId, refusalAnswer(outage(500, 'An unknown error occurred.')));
  }
}

type Circumstances = { knobs: Knobs; requestId: string };
/** `replayOf` is the request id of the call that was answered first under the same key. */
type Result = { answer: Answer; replayOf?: string };

async function readAndRun(
  provider: ProviderContext,
  route: Route,
  request: Request,
  path: Record<string, string>,
  circumstances: Circumstances,
): Promise<Result> {
  requireVersion(request);
  const encoded = await readBody(request);
  const parameters = parseParameters(encoded);
  const authority = requireAuthority(provider.keys(), request, parameters, route.publishable === true);
  const { key, _stripe_version, expand, ...named } = parameters;
  allowOnly(named, route.allowedParameters);
  const paths = readList(parameters, 'expand') ?? [];
  const idempotency =
    authority === 'secret' && request.method === 'POST' ? readIdempotency(request, encoded) : null;
  const rest: Parameters = Object.assign(Object.create(null), named);
  const run = { parameters: rest, authority, path, paths, idempotency, ...circumstances };
  return idempotency
    ? onceAtATime(provider, idempotency.key, () => runOrReplay(provider, route, run))
    : runOrReplay(provider, route, run);
}

/** Refuses concurrent calls with the same key; a later retry gets the stored response. */
async function onceAtATime(
  { keysInUse }: ProviderContext,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (keysInUse.has(key)) {
    throw new ApiRefusal(409, {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
    });
  }
  keysInUse.add(key);
  try {
    return await work();
  } finally {
    keysInUse.delete(key);
  }
}

/** Runs the call and retries it after a concurrent write; a call already answered under its key is not run. */
async function runOrReplay(provider: ProviderContext, route: Route, run: Run): Promise<Result> {
  const { idempotency } = run;
  for (let attempt = 1; ; attempt += 1) {
    const storedResponse = idempotency && (await findStoredResponse(provider, idempotency));
    if (storedResponse) return storedResponse;
    try {
      return { answer: await runOnce(provider, route, run) };
    } catch (error) {
      // The refusal may be caused by another process's call with the same key.
      const done =
        idempotency && error instanceof ApiRefusal && (await findStoredResponse(provider, idempotency));
      if (done) return done;
      if (!(error instanceof Outdated)) throw error;
      if (attempt === 10)
        throw new ApiRefusal(429, {
          type: 'invalid_request_error',
          code: 'lock_timeout',
          message: 'This object cannot be accessed right now because another API request is accessing it.',
        });
    }
  }
}

type Run = Circumstances &
  Pick<Call, 'parameters' | 'authority' | 'path'> & { paths: string[]; idempotency: Idempotency | null };

async function runOnce(provider: ProviderContext, route: Route, run: Run): Promise<Answer> {
  const unit = beginUnit(provider, run.knobs, {
    id: run.requestId,
    idempotency_key: run.idempotency?.key ?? null,
  });
  const { parameters, authority, path } = run;
  const call: Call = {
    unit,
    store: provider.store,
    parameters,
    path,
    authority,
    origin: provider.origin,
    fingerprint: (number) =>
      createHmac('sha256', provider.keys().secretKey)
        .update(number)
        .digest('base64url')
        .replace(/[-_]/g, 'x')
        .slice(0, 16),
  };
  const answer = await route.run(call);
  const body =
    answer.status === 200 ? await expandAnswer(unit, answer.body, run.paths) : structuredClone(answer.body);
  const { events } = await unit.commit(
    run.idempotency
      ? { ...run.idempotency, request_id: run.requestId, status: answer.status, body }
      : undefined,
  );
  if (events > 0) provider.triggerDelivery();
  return { status: answer.status, body };
}

type Idempotency = { key: string; fingerprint: string };

const idempotencyLasts = 24 * 3_600_000;

function readIdempotency(request: Request, encoded: string): Idempotency | null {
  const key = request.headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length === 0 || key.length > 255) {
    throw invalid('Idempotency keys must be between 1 and 255 characters.', 'Idempotency-Key');
  }
  const content = `${request.method} ${new URL(request.url).pathname}\n${encoded}`;
  return { key, fingerprint: createHash('sha256').update(content).digest('hex') };
}

async function findStoredResponse(
  provider: ProviderContext,
  idempotency: Idempotency,
): Promise<Result | null> {
  const [row] = await provider.store.query<{
    fingerprint: string;
    request_id: string;
    status: number;
    body: object;
  }>('select fingerprint, request_id, status, body from sandbox.idempotency where key = $1', [
    idempotency.key,
  ]);
  if (!row) return null;
  if (row.fingerprint !== idempotency.fingerprint) {
    throw new ApiRefusal(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotency.key}' if you meant to execute a different request.`,
    });
  }
  return { answer: { status: row.status, body: row.body }, replayOf: row.request_id };
}

/** Deletes idempotency keys after a day and events after thirty. */
export async function deleteOldRecords(provider: ProviderContext): Promise<void> {
  const now = provider.clock().getTime();
  await provider.store.query('delete from sandbox.idempotency where created_ms < $1', [
    now - idempotencyLasts,
  ]);
  await provider.store.query(
    `delete from sandbox.objects where object = 'event' and (doc->>'created')::double precision < $1`,
    [now / 1000 - 30 * 86_400],
  );
  await provider.store.query('delete from sandbox.deliveries where created_ms < $1', [now - 30 * 86_400_000]);
}

const largestBody = 100_000;

async function readBody(request: Request): Promise<string> {
  if (request.method !== 'POST') return new URL(request.url).search.slice(1);
  if (Number(request.headers.get('content-length') ?? 0) > largestBody) throw tooLarge();
  const encoded = await request.text();
  if (encoded.length > largestBody) throw tooLarge();
  return encoded;
}

function tooLarge(): ApiRefusal {
  return new ApiRefusal(413, { type: 'invalid_request_error', message: 'The request is too large.' });
}

function outage(status: number, message: string): ApiRefusal {
  return new ApiRefusal(status, { type: 'api_error', message });
}

function refusalAnswer(refusal: ApiRefusal): Answer {
  return { status: refusal.status, body: { error: refusal.body } };
}

function respond(request: Request, requestId: string, answer: Answer, replayOf?: string): Response {
  const idempotencyKey = request.headers.get('idempotency-key');
  return Response.json(answer.body, {
    status: answer.status,
    headers: {
      'cache-control': 'no-cache, no-store',
      'request-id': requestId,
      'stripe-version': apiVersion,
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(replayOf ? { 'idempotent-replayed': 'true', 'original-request': replayOf } : {}),
    },
  });
}
