import type { ReactNode } from 'react';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { AppShell } from '#web/ui/page.tsx';
import { PhoneLink } from './phone-link.tsx';

export type SiteFrameProps = {
  /** Where the operator's name leads. */
  homeTo: string;
  nav?: ReactNode;
  actions: ReactNode;
  children: ReactNode;
};

/** What stands around every screen of either host: the operator, the test ribbon, and whom to ask. */
export function SiteFrame({ homeTo, nav, actions, children }: SiteFrameProps) {
  const { brand, contact } = useSettings();
  return (
    <AppShell
      brand={brand.name}
      logo={brand.logo_url ?? undefined}
      homeTo={homeTo}
      banner={pageConfig().provider.is_test ? 'Test payments: no real card is charged' : undefined}
      nav={nav}
      actions={actions}
      footer={
        <p>
          Questions? Call <PhoneLink phone={contact.phone} />, or write to{' '}
          <a href={`mailto:${contact.email}`}>{contact.email}</a>. {contact.booth_hours}
        </p>
      }
    >
      {children}
    </AppShell>
  );
}
