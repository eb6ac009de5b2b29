import { randomUUID } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import type { SqlStore } from '../sql-store.ts';

export type Attachment = { filename: string; type: string; content_id: string | null; base64: string };

/** A stored mail. `to` is the envelope's recipient, lower case; `headers` are as sent. */
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

/** A mail as received; parsed only when it is viewed, to keep receiving fast. */
export type StoredMail = { id: string; received_at: string; to: string[]; raw: string };

const mailLimit = 200;

/** Stores a mail and deletes all but the newest two hundred. */
export async function storeMail(store: SqlStore, mail: StoredMail): Promise<void> {
  await store.query(
    `with added as (
       insert into sandbox.messages (id, doc) values ($1, $2::text::jsonb) returning seq
     )
     delete from sandbox.messages
     where seq <= (select seq from sandbox.messages order by seq desc offset ${mailLimit - 1} limit 1)`,
    [mail.id, JSON.stringify(mail)],
  );
}

/** Newest first; of one recipient if `to` is given. */
export async function listMessages(store: SqlStore, to: string | null): Promise<Message[]> {
  const rows = await store.query<{ doc: StoredMail }>(
    `select doc from sandbox.messages
     where $1::text is null or doc->'to' @> to_jsonb($1::text)
     order by seq desc limit $2::int`,
    [to?.toLowerCase() ?? null, mailLimit],
  );
  return Promise.all(rows.map(({ doc }) => openMail(doc)));
}

export async function findMessage(store: SqlStore, id: string): Promise<Message | null> {
  const [row] = await store.query<{ doc: StoredMail }>('select doc from sandbox.messages where id = $1', [
    id,
  ]);
  return row ? openMail(row.doc) : null;
}

/** `recipients` are those of the envelope, which may differ from the headers. */
export function createStoredMail(raw: Buffer, recipients: string[], receivedAt: Date): StoredMail {
  return {
    id: randomUUID(),
    received_at: receivedAt.toISOString(),
    to: recipients.map((address) => address.toLowerCase()),
    raw: raw.toString('base64'),
  };
}

const opened = new Map<string, Promise<Message>>();

/** Cached, because the newest mails are viewed repeatedly. */
function openMail(mail: StoredMail): Promise<Message> {
  const cached = opened.get(mail.id);
  if (cached) return cached;
  const raw = Buffer.from(mail.raw, 'base64');
  const message = PostalMime.parse(raw, { attachmentEncoding: 'base64' }).then((email) =>
    buildMessage(mail, email),
  );
  opened.set(mail.id, message);
  const oldest = opened.keys().next().value;
  if (opened.size > mailLimit && oldest !== undefined) opened.delete(oldest);
  return message;
}

function buildMessage({ id, received_at, to }: StoredMail, email: Email): Message {
  return {
    id,
    received_at,
    from: email.from?.address ?? '',
    to,
    subject: clean(email.subject ?? ''),
    text: clean(email.text ?? ''),
    html: email.html === undefined ? null : clean(email.html),
    headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, clean(value)])),
    attachments: email.attachments.map((attachment, index) => ({
      filename: clean(attachment.filename ?? `attachment-${index + 1}`),
      type: attachment.mimeType,
      content_id: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
      base64: String(attachment.content),
    })),
  };
}

/** PostgreSQL does not accept NUL. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}
