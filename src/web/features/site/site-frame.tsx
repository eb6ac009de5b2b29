import type { ReactNode } from 'react';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { AppShell } from '#web/ui/layout/page.tsx';
import { Questions, useCanReach } from './contact-ways.tsx';

type SiteFrameProps = {
  /** Where the operator's name leads. */
  homeTo: string;
  nav?: ReactNode;
  actions: ReactNode;
  /** Links in the footer. */
  links?: ReactNode;
  children: ReactNode;
};

/** What stands around every screen of either host: the operator, the test ribbon, and whom to ask. */
export function SiteFrame({ homeTo, nav, actions, links, children }: SiteFrameProps) {
  const { brand, contact } = useSettings();
  const canReach = useCanReach();
  const hasContact = canReach || contact.booth_hours !== null || contact.url !== null;
  return (
    <AppShell
      brand={brand.name}
      logo={brand.logo_url ?? undefined}
      homeTo={homeTo}
      banner={pageConfig().provider.is_test ? 'Test payments: no real card is charged' : undefined}
      nav={nav}
      actions={actions}
      footer={
        (hasContact || links) && (
          <>
            {links && <p>{links}</p>}
            {hasContact && (
              <p>
                <Questions /> {contact.booth_hours}{' '}
                {contact.url !== null && <a href={contact.url}>{getHost(contact.url)}</a>}
              </p>
            )}
          </>
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
