import { portalPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '#server/context.ts';
import { getOperator } from '#server/database/operator.ts';
import { renderHtml } from '#server/mail/mail-content.ts';
import { accountMailContent } from '#server/mail/templates/account.ts';

/** The mail with a sign-in code, as HTML, with settings that are not published. Its code is a sample. */
export async function composeSampleMail(
  { db, config: { origins }, clock }: Pick<Context, 'db' | 'config' | 'clock'>,
  settings: WebSettings,
): Promise<string> {
  const { timeZone } = await getOperator(db);
  const link = new URL(portalPages.signIn, origins.portal).href;
  const { content } = accountMailContent(
    { kind: 'sign-in-code', data: { code: '123456', link, device: 'Safari on iPhone' } },
    {
      ...{ settings, origin: origins.portal, ticketOrigin: origins.tickets, staffOrigin: origins.staff },
      ...{ requestedAt: clock.now(), timeZone },
    },
  );
  return renderHtml(content);
}

/**
 * Prepares a page for a frame of the staff host. No script of it runs and no link leads away, because it is not what
 * customers have; its pictures come from the ticket host.
 */
export function frameStillPage(
  html: string,
  { origins }: Context['config'],
): { html: string; headers: Record<string, string> } {
  const policy = [
    ...["default-src 'none'", "style-src 'unsafe-inline'", "font-src 'self'", 'img-src data: http: https:'],
    // Of the same origin, so that its fonts load; without permission for scripts that gives it nothing else.
    ...["base-uri 'none'", "frame-ancestors 'self'", 'sandbox allow-same-origin'],
  ];
  const shown = html
    .replace('<head>', () => '<head><base target="_blank" />')
    .replaceAll('src="/', () => `src="${origins.tickets}/`);
  const type = 'text/html; charset=utf-8';
  return { html: shown, headers: { 'Content-Type': type, 'Content-Security-Policy': policy.join('; ') } };
}
