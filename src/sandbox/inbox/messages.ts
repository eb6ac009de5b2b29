import { randomUUID } from 'node:crypto';
import type { Email } from 'postal-mime';
import type { SqlStore } from '../sql-store.ts';

export type Attachment = { filename: string; type: string; content_id: string | null; base64: string };

/** A mail as the inbox keeps it. `to` is whom the server was told to deliver to, lower case; `headers` are as sent. */
export type Message = {
  id: string;
  received_at: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  headers: Record<string, string>;
  attachments: Attachment[];
};

export const inboxTables = [
  `create table if not exists sandbox.messages (
     id text primary key,
     seq bigint generated always as identity,
     doc jsonb not null
   )`,
  'create index if not exists messages_newest on sandbox.messages (seq desc)',
] as const;

const kept = 200;

/** Stores a mail, and forgets all but the newest two hundred. */
export async function storeMessage(store: SqlStore, message: Message): Promise<void> {
  await store.query(
    `with added as (
       insert into sandbox.messages (id, doc) values ($1, $2::text::jsonb) returning seq
     )
     delete from sandbox.messages
     where seq <= (select seq from sandbox.messages order by seq desc offset ${kept - 1} limit 1)`,
    [message.id, JSON.stringify(message)],
  );
}

/** Newest first; of one recipient when `to` is given. */
export async function listMessages(store: SqlStore, to: string | null, limit = kept): Promise<Message[]> {
  const rows = await store.query<{ doc: Message }>(
    `select doc from sandbox.messages
     where $1::text is null or doc->'to' @> to_jsonb($1::text)
     order by seq desc limit $2::int`,
    [to?.toLowerCase() ?? null, limit],
  );
  return rows.map(({ doc }) => doc);
}

export async function findMessage(store: SqlStore, id: string): Promise<Message | null> {
  const [row] = await store.query<{ doc: Message }>('select doc from sandbox.messages where id = $1', [id]);
  return row?.doc ?? null;
}

/** `recipients` are those of the envelope: whom the mail really goes to, whatever its headers say. */
export function buildMessage(email: Email, recipients: string[], receivedAt: Date): Message {
  return {
    id: randomUUID(),
    received_at: receivedAt.toISOString(),
    from: email.from?.address ?? '',
    to: recipients.map((address) => address.toLowerCase()),
    subject: clean(email.subject ?? ''),
    text: clean(email.text ?? ''),
    html: email.html === undefined ? null : clean(email.html),
    headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, clean(value)])),
    attachments: email.attachments.map((attachment, index) => ({
      filename: clean(attachment.filename ?? `attachment-${index + 1}`),
      type: attachment.mimeType,
      content_id: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
      base64: base64Of(attachment.content),
    })),
  };
}

function base64Of(content: ArrayBuffer | Uint8Array | string): string {
  if (typeof content === 'string') return Buffer.from(content).toString('base64');
  return Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content).toString('base64');
}

/** The database keeps no NUL. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}
