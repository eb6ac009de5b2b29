/**
 * Tables of the card provider. `objects` contains the API's documents (`doc`) and internal data (`secret`: behaviour of
 * a test card, never a card number). Every write increases `version`, so that a write based on an outdated read is
 * refused. `wake_ms` is the time of a scheduled change (a pending refund settles).
 */
export const cardProviderTables = [
  `create table if not exists sandbox.config (
     key text primary key,
     value jsonb not null
   )`,
  `create table if not exists sandbox.objects (
     id text primary key,
     seq bigint generated always as identity,
     object text not null,
     version integer not null default 1,
     doc jsonb not null,
     secret jsonb not null,
     wake_ms double precision
   )`,
  'create index if not exists objects_by_kind on sandbox.objects (object, seq desc)',
  `create index if not exists objects_by_customer on sandbox.objects (object, (doc->>'customer'))`,
  `create index if not exists objects_by_intent on sandbox.objects (object, (doc->>'payment_intent'))`,
  'create index if not exists objects_to_wake on sandbox.objects (wake_ms) where wake_ms is not null',
  `create table if not exists sandbox.deliveries (
     id bigint generated always as identity primary key,
     event_id text not null,
     due_ms double precision not null,
     created_ms double precision not null,
     attempts integer not null default 0,
     leased_ms double precision,
     state text not null default 'pending',
     last_answer text
   )`,
  `create index if not exists deliveries_pending on sandbox.deliveries (due_ms) where state = 'pending'`,
  'create index if not exists deliveries_by_event on sandbox.deliveries (event_id)',
  `create table if not exists sandbox.idempotency (
     key text primary key,
     fingerprint text not null,
     request_id text not null,
     status integer not null,
     body jsonb not null,
     created_ms double precision not null
   )`,
] as const;
