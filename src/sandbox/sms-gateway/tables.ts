export const smsGatewayTables = [
  `create table if not exists sandbox.text_messages (
     id text primary key,
     seq bigint generated always as identity,
     doc jsonb not null
   )`,
  'create index if not exists text_messages_newest on sandbox.text_messages (seq desc)',
] as const;
