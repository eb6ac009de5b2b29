import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '#web/language/texts.ts';
import { Icon } from '../icon.tsx';
import styles from './page.module.css';

type AppShellProps = {
  brand: ReactNode;
  /** Address of the operator's logo; without one the header shows a pennant in the accent color. */
  logo?: string | undefined;
  homeTo: string;
  /** A strip above everything, such as "Test payments". */
  banner?: ReactNode;
  nav?: ReactNode;
  /** Links in the header of wide screens. */
  links?: ReactNode;
  /** To the right in the header: sign in, an account menu. */
  actions?: ReactNode;
  /** Links above the footer's text. */
  footerLinks?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

export function AppShell(props: AppShellProps) {
  const { brand, logo, homeTo, banner, nav, links, actions, footerLinks, footer, children } = props;
  return (
    <div className={styles.shell}>
      <header className="site-header">
        <a href="#main" className="site-skip">
          {t('Skip to content')}
        </a>
        {banner && <div className="site-banner">{banner}</div>}
        <div className="site-row">
          <Link to={homeTo} className="site-brand">
            {logo ? (
              <img src={logo} alt="" className="site-logo" />
            ) : (
              <span className="site-pennant" aria-hidden="true" />
            )}
            {brand}
          </Link>
          {links}
          {actions && <div className="site-actions">{actions}</div>}
        </div>
      </header>
      <div className={styles.body}>
        {nav}
        <main id="main" tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      <footer className={styles.footer}>
        <p className={styles.footerLinks}>{footerLinks}</p>
        {footer}
      </footer>
    </div>
  );
}

type PageHeaderProps = {
  title: ReactNode;
  intro?: ReactNode;
  action?: ReactNode;
  back?: { to: string; label: string } | undefined;
};

export function PageHeader({ title, intro, action, back }: PageHeaderProps) {
  return (
    <div className={styles.pageHeader}>
      {back && (
        <Link to={back.to} className={styles.back}>
          <Icon name="chevron-left" size="small" />
          {back.label}
        </Link>
      )}
      <div className={styles.titleRow}>
        <h1 className={styles.title}>{title}</h1>
        {action}
      </div>
      {intro && <p className={styles.intro}>{intro}</p>}
    </div>
  );
}
