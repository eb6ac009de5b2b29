import { LEGAL_PAGES } from '#contract/settings/legal-pages.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { chooseTextColor } from '#domain/text-on-color.ts';
import { matchLanguage, SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Translate } from '#messages/translate.ts';
import { type ShownTime, writeShownTime } from '#sentences/crossing-times.ts';
import { textsIn } from '#server/core/texts.ts';
import { embedJson, escapeHtml } from '../core/markup.ts';

/**
 * A mail as a list of parts, from which both its text and its HTML are rendered, so that they have the same content.
 */
export type MailContent = {
  /** A language tag: of the words that the mail's form adds. */
  language: string;
  brandName: string;
  /** CSS color `#rrggbb`. */
  accent: string;
  title: string;
  parts: readonly MailBlock[];
  /** Small print: contact, and why the mail was sent. */
  footer: readonly string[];
  /** Pages of the operator below the small print. */
  footerLinks: readonly MailLink[];
  /** schema.org data that mail readers show as a trip. */
  data?: object;
};

type MailLink = { label: string; url: string };

export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'alert'; text: string }
  | { kind: 'definitions'; rows: readonly Definition[] }
  | { kind: 'amounts'; rows: readonly Row[]; total: Row }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'button' | 'link'; label: string; url: string }
  /** Digits to type in the app. */
  | { kind: 'code'; code: string }
  | { kind: 'ticket'; who: string; detail: string | null; code: string; cid: string };
type Row = readonly [label: string, value: string];
/** Also with a time that may replace another one, and what follows it. */
type Definition = readonly [label: string, value: string | { time: ShownTime; rest: string }];

/** The Content-ID of a ticket's QR code. */
export function codeCid({ leg, partyIndex }: { leg: string; partyIndex: number }): string {
  return `code-${leg}-${partyIndex}`;
}

/** What a template writes; `subject` if it differs from the title, for the recipient's list of mails. */
export type MailTexts = Pick<MailContent, 'title' | 'parts'> & { subject?: string };

/** The operator's legal pages, for the footer of mails to customers. */
export function legalLinks(t: Translate, { legal }: Pick<WebSettings, 'legal'>): MailLink[] {
  return LEGAL_PAGES.flatMap(({ field, label }) => {
    const url = legal[field];
    return url === null ? [] : [{ label: t(label), url }];
  });
}

export function text(content: string): MailBlock {
  return { kind: 'text', text: content };
}

export function heading(content: string): MailBlock {
  return { kind: 'heading', text: content };
}

export function definitions(...rows: Definition[]): MailBlock {
  return { kind: 'definitions', rows };
}

export function button(label: string, url: string): MailBlock {
  return { kind: 'button', label, url };
}

export function link(label: string, url: string): MailBlock {
  return { kind: 'link', label, url };
}

export function renderText(content: MailContent): string {
  const t = textsIn(content.language);
  const body = [content.title, ...content.parts.map((part) => partText(t, part))].join('\n\n');
  const links = content.footerLinks.map(({ label, url }) => `${label}:\n${url}`);
  return `${body}\n\n-- \n${[...content.footer, ...links].join('\n')}\n`;
}

/** Renders the HTML: one column without tables, light and dark, readable without images. Every value is escaped. */
export function renderHtml(content: MailContent): string {
  const t = textsIn(content.language);
  const accent = /^#[0-9a-f]{6}$/i.test(content.accent) ? content.accent : '#10222e';
  const parts = content.parts.map((part) => partHtml(t, part, accent)).join('\n');
  const links = content.footerLinks.map(footerLinkHtml).join(' · ');
  const footer = [...content.footer.map(escapeHtml), ...(links === '' ? [] : [links])]
    .map((line) => `<p style="margin:0 0 6px">${line}</p>`)
    .join('');
  return `<!doctype html>
<html lang="${matchLanguage(content.language) ?? SOURCE_LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(content.title)}</title>
<style>${DARK}</style>
${content.data === undefined ? '' : embedJson('application/ld+json', content.data)}
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#edf1f4;color:${INK};font:16px/1.5 ${FONT}">
<div class="card" style="max-width:600px;margin:0 auto;background:#ffffff;border-radius:14px;overflow:hidden">
<div style="height:8px;background:${accent}"></div>
<div style="padding:26px 24px 30px">
<p style="margin:0 0 20px;font-weight:700;font-size:15px">${escapeHtml(content.brandName)}</p>
<h1 style="margin:0 0 14px;font-size:28px;line-height:1.2">${escapeHtml(content.title)}</h1>
${parts}
</div>
</div>
<div class="quiet" style="max-width:552px;margin:18px auto 0;color:${MUTED};font-size:13px">${footer}</div>
</body>
</html>
`;
}

const INK = '#10222e';
const MUTED = '#51626e';
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#0c151b!important;color:#e9eff3!important}
.card{background:#16232c!important}
.quiet{color:#a9b8c2!important}
.line{border-color:#2f404c!important}
.link{color:#8fd0ea!important}
.code{background:#22323d!important}
.alert{background:#3b1c1f!important;color:#ffd9d6!important}
}`;

function partText(t: Translate, part: MailBlock): string {
  switch (part.kind) {
    case 'heading':
      return `${part.text}\n${'='.repeat(Math.min(part.text.length, 60))}`;
    case 'definitions':
    case 'amounts':
      return [...part.rows, ...('total' in part ? [part.total] : [])]
        .map(
          ([label, value]): Row => [
            label,
            typeof value === 'string' ? value : writeShownTime(t, value.time) + value.rest,
          ],
        )
        .map(([label, value]) => t('{label}: {value}', { label, value }))
        .join('\n');
    case 'list':
      return part.items.map((item) => `- ${item}`).join('\n');
    case 'button':
    case 'link':
      return `${part.label}:\n${part.url}`;
    case 'code':
      return `    ${part.code}`;
    case 'ticket':
      return `${part.who}${part.detail === null ? '' : ` (${part.detail})`}\n${t('Boarding code {code}', { code: part.code })}`;
    default:
      return part.text;
  }
}

function partHtml(t: Translate, part: MailBlock, accent: string): string {
  switch (part.kind) {
    case 'text':
      return `<p style="margin:0 0 16px">${escapeHtml(part.text)}</p>`;
    case 'heading':
      return `<h2 class="line" style="margin:28px 0 12px;padding-top:22px;border-top:1px solid #d8e0e6;font-size:20px;line-height:1.3">${escapeHtml(part.text)}</h2>`;
    case 'alert':
      return `<p class="alert" style="margin:0 0 16px;padding:12px 14px;border-radius:10px;background:#fdecea;color:#7d1216;font-weight:600">${escapeHtml(part.text)}</p>`;
    case 'definitions':
      return `<div style="margin:0 0 16px">${part.rows.map((row) => factHtml(t, row)).join('')}</div>`;
    case 'amounts':
      return `<div style="margin:0 0 16px">${part.rows.map((row) => amountHtml(row, '')).join('')}${amountHtml(part.total, 'font-weight:700;font-size:18px')}</div>`;
    case 'list':
      return `<ul class="quiet" style="margin:0 0 16px;padding-left:20px;color:${MUTED};font-size:14px">${part.items.map((item) => `<li style="margin:0 0 4px">${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'button':
      return `<p style="margin:6px 0 22px"><a href="${escapeHtml(part.url)}" style="display:inline-block;padding:13px 22px;border-radius:10px;background:${accent};color:${chooseTextColor(accent)};font-weight:700;text-decoration:none">${escapeHtml(part.label)}</a></p>`;
    case 'link':
      return `<p style="margin:0 0 16px"><a class="link" href="${escapeHtml(part.url)}" style="color:#0b5c7a">${escapeHtml(part.label)}</a></p>`;
    case 'code':
      // Spaced with CSS, because a space between the digits would be copied too.
      return `<p class="code" style="margin:0 0 18px;padding:14px 18px;border-radius:12px;background:#edf1f4;font-size:36px;line-height:1.2;font-weight:700;letter-spacing:.16em;text-align:center;font-variant-numeric:tabular-nums">${escapeHtml(part.code)}</p>`;
    case 'ticket':
      return ticketHtml(t, part);
  }
}

function footerLinkHtml({ label, url }: MailLink): string {
  return `<a class="link" href="${escapeHtml(url)}" style="color:#0b5c7a">${escapeHtml(label)}</a>`;
}

function factHtml(t: Translate, [label, value]: Definition): string {
  const html =
    typeof value === 'string' ? escapeHtml(value) : timeHtml(t, value.time) + escapeHtml(value.rest);
  return `<p style="margin:0 0 8px"><span class="quiet" style="display:block;color:${MUTED};font-size:13px;line-height:1.3">${escapeHtml(label)}</span><strong style="font-size:17px">${html}</strong></p>`;
}

function timeHtml(t: Translate, { text, replaced }: ShownTime): string {
  const escaped = { text: escapeHtml(text), replaced: replaced === null ? null : escapeHtml(replaced) };
  return writeShownTime(t, escaped, (old) => `<s style="font-weight:400">${old}</s>`);
}

function amountHtml([label, value]: Row, style: string): string {
  return `<p class="line" style="margin:0;padding:8px 0;border-bottom:1px solid #d8e0e6;overflow:hidden;${style}"><span style="float:right;padding-left:16px">${escapeHtml(value)}</span>${escapeHtml(label)}</p>`;
}

/** The code stays black on white with a white border in dark mode, because readers need the contrast. */
function ticketHtml(t: Translate, ticket: Extract<MailBlock, { kind: 'ticket' }>): string {
  return `<div class="line" style="display:inline-block;box-sizing:border-box;width:100%;max-width:262px;margin:0 8px 14px 0;padding:14px;border:1px solid #d8e0e6;border-radius:12px;vertical-align:top;text-align:center">
<p dir="auto" style="margin:0;font-weight:700;overflow-wrap:anywhere">${escapeHtml(ticket.who)}</p>
<p class="quiet" style="margin:0 0 10px;color:${MUTED};font-size:13px">${escapeHtml(ticket.detail ?? '')}</p>
<img src="cid:${escapeHtml(ticket.cid)}" width="216" height="216" alt="${escapeHtml(t('Ticket code for {who}', ticket))}" style="display:block;margin:0 auto;width:216px;height:216px;background:#ffffff;border-radius:8px">
<p class="quiet" style="margin:10px 0 0;color:${MUTED};font-size:12px;letter-spacing:.06em">${escapeHtml(t('Boarding code').toUpperCase())}</p>
<p style="margin:0;font-size:24px;font-weight:700;letter-spacing:.04em">${escapeHtml(ticket.code)}</p>
</div>`;
}
