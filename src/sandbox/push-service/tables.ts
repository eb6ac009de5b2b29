export const pushServiceTables = [
  `create table if not exists sandbox.browsers (
     id text primary key,
     doc jsonb not null
   )`,
  `create table if not exists sandbox.pushes (
     id text primary key,
     seq bigint generated always as identity,
     browser text not null,
     doc jsonb not null
   )`,
  'create index if not exists pushes_newest on sandbox.pushes (seq desc)',
] as const;
