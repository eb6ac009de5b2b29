import { html } from 'hono/html';
import { type Html, page, shortTime } from '../page.ts';
import type { Attachment, Message } from './messages.ts';

const styles = `
ul{list-style:none;margin:0;padding:0;display:grid;gap:.6rem}
li a.card{display:block;color:inherit;text-decoration:none}
li a.card:hover{border-color:var(--accent)}
.row{display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap}
form{display:flex;gap:.6rem;align-items:end;flex-wrap:wrap;margin:1rem 0}
form label{flex:1 1 14rem}
iframe{width:100%;height:70vh;border:1px solid var(--line);border-radius:14px;background:#fff;color-scheme:light}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:inherit}
dl{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem;margin:1rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
`;

export function listPage(messages: Message[], to: string | null): Promise<Response> {
  const items = messages.map(
    (message) => html`<li><a class="card" href="/messages/${message.id}">
<span class="row"><strong>${message.subject || '(no subject)'}</strong><span class="soft">${formatTime(message)}</span></span>
<span class="soft">to ${message.to.join(', ')}</span></a></li>`,
  );
  const body = html`<main>
<p><span class="badge">Sandbox</span></p>
<h1>Mail</h1>
<p class="soft">Every mail the product sent, newest first. Nothing leaves this machine.</p>
<form method="get"><label>Recipient<input type="search" name="to" value="${to ?? ''}" autocapitalize="none"></label><button>Show</button></form>
${messages.length === 0 ? html`<p class="card soft">No mail yet.</p>` : html`<ul>${items}</ul>`}
</main>`;
  return page({ title: 'Mail sandbox', body, styles });
}

export function messagePage(message: Message): Promise<Response> {
  const body = html`<main>
<p><a href="/">All mail</a></p>
<h1>${message.subject || '(no subject)'}</h1>
<dl><dt>From</dt><dd>${message.from}</dd><dt>To</dt><dd>${message.to.join(', ')}</dd><dt>Received</dt><dd>${formatTime(message)} UTC</dd></dl>
${attachmentList(message)}
${message.html === null ? '' : html`<iframe title="Mail" src="/messages/${message.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`}
<h2>Plain text</h2>
<div class="card"><pre>${linkify(message.text)}</pre></div>
</main>`;
  return page({ title: message.subject || 'Mail', body, styles, policy: { 'frame-src': "'self'" } });
}

/** The HTML part as a separate document: without scripts, origin or external resources. Links open a new tab. */
export function htmlPart(message: Message): Response {
  const document = `<!doctype html><meta charset="utf-8"><base target="_blank">${withInlineImages(message)}`;
  return new Response(document, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Always a download: an attachment is never shown as a page of this host. */
export function attachmentDownload({ filename, base64 }: Attachment): Response {
  const plain = filename.replace(/[^\w.-]/g, '_');
  return new Response(Buffer.from(base64, 'base64'), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

export function notFoundPage(): Promise<Response> {
  const body = html`<main><h1>Not found</h1><p>This mail is gone, or never was.</p><p><a href="/">All mail</a></p></main>`;
  return page({ title: 'Not found', body, status: 404 });
}

function formatTime(message: Message): string {
  return shortTime(Date.parse(message.received_at));
}

/** Inline images of the HTML part are not listed again. */
function attachmentList(message: Message): Html {
  const links = message.attachments.flatMap(({ filename, content_id }, index) =>
    content_id && message.html?.includes(`cid:${content_id}`)
      ? []
      : [
          html`<li><a class="button quiet" href="/messages/${message.id}/attachments/${index}">${filename}</a></li>`,
        ],
  );
  return links.length === 0 ? html`` : html`<h2>Attachments</h2><ul>${links}</ul><br>`;
}

/** Converts URLs in plain text to links, like mail programs. */
function linkify(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/)
    .map((part, index) =>
      index % 2 === 1
        ? html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`
        : html`${part}`,
    );
}

const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function withInlineImages(message: Message): string {
  let document = message.html ?? '';
  for (const { content_id, type, base64 } of message.attachments) {
    if (content_id && shownImages.has(type)) {
      document = document.replaceAll(`cid:${content_id}`, `data:${type};base64,${base64}`);
    }
  }
  return document;
}
