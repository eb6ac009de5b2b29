import type { ReactNode } from 'react';
import { LEGAL_PAGES } from '#contract/settings/legal-pages.ts';
import { t } from '#web/language/texts.ts';
import { hasAnalytics } from '#web/platform/analytics/has-analytics.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { AppShell } from '#web/ui/layout/page.tsx';
import { openConsent } from '../consent/open-consent.ts';
import { Questions, useCanReach } from './contact-ways.tsx';
import { LanguageChoice } from './language-choice.tsx';

type SiteFrameProps = {
  /** Where the operator's name leads. */
  homeTo: string;
  nav?: ReactNode;
  /** Links in the header of wide screens. */
  siteLinks?: ReactNode;
  actions: ReactNode;
  /** Links in the footer. */
  links?: ReactNode;
  children: ReactNode;
};

/** What stands around every screen of the customers' hosts: the operator, the test ribbon, and whom to ask. */
export function SiteFrame({ homeTo, nav, siteLinks, actions, links, children }: SiteFrameProps) {
  const settings = useSettings();
  const { brand, contact, legal } = settings;
  const canReach = useCanReach();
  const hasContact = canReach || contact.booth_hours !== null || contact.url !== null;
  return (
    <AppShell
      brand={brand.name}
      logo={brand.logo_url ?? undefined}
      homeTo={homeTo}
      banner={pageConfig().provider.is_test ? t('Test payments: no real card is charged') : undefined}
      nav={nav}
      links={siteLinks}
      actions={
        <>
          <LanguageChoice />
          {actions}
        </>
      }
      footerLinks={
        <>
          {links}
          {LEGAL_PAGES.map(({ field, label }) => {
            const href = legal[field];
            return (
              href !== null && (
                <a key={field} href={href}>
                  {t(label)}
                </a>
              )
            );
          })}
          {settings.analytics.requires_consent && hasAnalytics(settings) && (
            <button type="button" onClick={() => void openConsent('requested')}>
              {t('Analytics')}
            </button>
          )}
        </>
      }
      footer={
        hasContact && (
          <p>
            <Questions /> {contact.booth_hours}{' '}
            {contact.url !== null && <a href={contact.url}>{getHost(contact.url)}</a>}
          </p>
        )
      }
    >
      {children}
    </AppShell>
  );
}

function getHost(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, '').replace(/[/?#].*$/, '');
}
