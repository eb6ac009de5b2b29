import { portalPages, ticketPages } from '#contract/paths.ts';
import { HELP_PATH } from '#contract/route-pages.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import type { Translate } from '#messages/translate.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';
import type { SentDocument } from '../front-end.ts';
import { composeSiteDocument, type Render } from './site-document.ts';

/** How to reach the operator, and where customers find what they most often ask for. */
export function composeHelpPage(render: Render): SentDocument {
  const { config } = render;
  const { brand, language } = config.settings;
  const t = textsIn(language);
  const answers = listAnswers(t, config).map(
    ({ question, answer, href, link }) =>
      `<section><h2>${escapeHtml(question)}</h2><p>${escapeHtml(answer)}</p><p><a href="${escapeHtml(href)}">${escapeHtml(link)}</a></p></section>`,
  );
  return composeSiteDocument(render, {
    title: t('Help'),
    description: t('How to reach {brand}, and where to find your tickets.', { brand: brand.name }),
    address: HELP_PATH,
    body: [
      `<h1>${escapeHtml(t('Help'))}</h1>`,
      contactHtml(t, config),
      `<div class="site-answers">${answers.join('')}</div>`,
    ],
    data: null,
  });
}

/** The same with settings that are not published. */
export function composeHelpPreview(config: PageConfig, styles: readonly string[]): string {
  const render = { config, styles, operatorLanguage: config.settings.language, sky: null };
  return Buffer.from(composeHelpPage(render).asset.plain).toString('utf8');
}

function contactHtml(t: Translate, { settings }: PageConfig): string {
  const { phone, email, url, booth_hours } = settings.contact;
  const rows = [
    phone && [t('Phone'), `<a href="tel:${phone.replace(/[^\d+]/g, '')}">${escapeHtml(phone)}</a>`],
    email && [t('Email'), `<a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`],
    url && [
      t('Website'),
      `<a href="${escapeHtml(url)}">${escapeHtml(url.replace(/^https?:\/\/|\/$/g, ''))}</a>`,
    ],
    booth_hours && [t('Ticket booth'), escapeHtml(booth_hours)],
  ].filter((row) => Array.isArray(row));
  const list = rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return list.length === 0 ? '' : `<dl class="site-card">${list.join('')}</dl>`;
}

type Answer = { question: string; answer: string; href: string; link: string };

function listAnswers(t: Translate, { origins }: PageConfig): Answer[] {
  return [
    {
      question: t('Where are my tickets?'),
      answer: t(
        'In the email that confirmed your order, and on the device you bought them with. We can send that email again.',
      ),
      href: `${ticketPages.home}?find=1`,
      link: t('Find my tickets'),
    },
    {
      question: t('Is my boat on time?'),
      answer: t('Departures show every boat of today as it really runs, with delays and cancellations.'),
      href: ticketPages.departures,
      link: t('Departures today'),
    },
    {
      question: t('Can I change or cancel my trip?'),
      answer: t(
        'Open your order from the email that confirmed it, or in your account. It shows what your fare allows, and what you get back.',
      ),
      href: origins.portal + portalPages.orders,
      link: t('My account'),
    },
  ];
}
