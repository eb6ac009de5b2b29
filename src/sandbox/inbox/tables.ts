export const inboxTables = [
  `create table if not exists sandbox.messages (
     id text primary key,
     seq bigint generated always as identity,
     doc jsonb not null
   )`,
  'create index if not exists messages_newest on sandbox.messages (seq desc)',
] as const;
