import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { SiteFrame } from '#web/features/site/site-frame.tsx';
import { TermsCheckbox } from '#web/features/site/terms.tsx';
import { hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import { buildPageConfig, openPage } from '../platform/page.ts';

const unset: WebSettings['contact'] = { phone: null, email: null, url: null, booth_hours: null };

function renderFooter({ contact = unset, ...over }: Partial<WebSettings>): string {
  const { settings } = buildPageConfig();
  openPage(undefined, { settings: { ...settings, ...over, contact } });
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <SiteFrame homeTo="/" actions={null}>
        {null}
      </SiteFrame>
    </MemoryRouter>,
  );
  return /<footer[^>]*>(.*)<\/footer>/.exec(html)?.[1] ?? '';
}

function footerOf(settings: Partial<WebSettings>): string {
  return renderFooter(settings)
    .replace(/<[^>]*>/g, '')
    .trim();
}

describe('the footer of every screen', () => {
  test.each([
    [{}, ''],
    [{ phone: '+1 206' }, 'Questions? Call +1 206.'],
    [{ email: 'a@b.example' }, 'Questions? Write to a@b.example.'],
    [{ phone: '+1 206', email: 'a@b.example' }, 'Questions? Call +1 206 or write to a@b.example.'],
    [{ booth_hours: 'Daily.' }, 'Daily.'],
    [{ url: 'https://www.b.example/x?y' }, 'b.example'],
  ])('shows only the set fields of %j', (contact, text) => {
    expect(footerOf({ contact: { ...unset, ...contact } })).toBe(text);
  });

  test('links to the legal pages that the operator has set', () => {
    const legal = { privacy_url: 'https://b.example/privacy', imprint_url: null, accessibility_url: null };
    expect(renderFooter({ legal })).toContain('<a href="https://b.example/privacy">Privacy</a>');
    expect(footerOf({ legal })).toBe('Privacy');
  });

  test.each([
    ['GTM-1', true, 'Analytics'],
    ['GTM-1', false, ''],
    [null, true, ''],
  ])('with the container %s and consent required %s it offers "%s"', (container, requires_consent, text) => {
    const { analytics } = buildPageConfig().settings;
    const own = { ...analytics, tickets_container_id: container, requires_consent };
    expect(footerOf({ analytics: own })).toBe(text);
  });
});

describe('terms of carriage', () => {
  test('require no checkbox if the operator has none', () => {
    const { settings } = buildPageConfig();
    const none = { ...settings.terms, text: [] };
    openPage(undefined, { settings: { ...settings, terms: none } });
    const box = <TermsCheckbox id="terms" isAccepted={false} error={undefined} onAccept={() => {}} />;
    expect(renderToStaticMarkup(box)).toBe('');
    expect(hasAcceptedTerms(none, null)).toBe(true);
    expect(hasAcceptedTerms(settings.terms, '0')).toBe(false);
    expect(hasAcceptedTerms(settings.terms, settings.terms.version)).toBe(true);
  });
});
