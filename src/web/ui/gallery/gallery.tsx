import { useEffect, useState } from 'react';
import { Money } from '../data/money.tsx';
import { Button } from '../form/button.tsx';
import { AppShell, PageHeader } from '../layout/page.tsx';
import { ShellNav } from '../layout/shell-nav.tsx';
import { StickyBar } from '../layout/sticky-bar.tsx';
import { ActionsGallery } from './actions-gallery.tsx';
import { ChoicesGallery } from './choices-gallery.tsx';
import { ContentGallery } from './content-gallery.tsx';
import { FeedbackGallery, PopupsGallery } from './feedback-gallery.tsx';
import { FieldsGallery } from './fields-gallery.tsx';
import styles from './gallery.module.css';
import { showPseudoStates } from './specimen.tsx';
import { ThemeGallery } from './theme-gallery.tsx';
import { ChartsGallery, TravelGallery } from './travel-gallery.tsx';

const accents = ['#f2640c', '#0a5fb4', '#0d7d5b', '#ffd000', '#c8102e', '#1b1464'];

const sections = {
  Theme: ThemeGallery,
  Actions: ActionsGallery,
  Fields: FieldsGallery,
  Choices: ChoicesGallery,
  Content: ContentGallery,
  Travel: TravelGallery,
  Charts: ChartsGallery,
  Feedback: FeedbackGallery,
  Popups: PopupsGallery,
};

/** Every part of the design system with its states, on one page. */
export function Gallery() {
  const [isDark, setIsDark] = useState(false);
  useEffect(showPseudoStates, []);

  function toggleTheme() {
    document.documentElement.dataset.theme = isDark ? 'light' : 'dark';
    setIsDark(!isDark);
  }

  return (
    <AppShell
      brand="Harbour Line"
      homeTo="/"
      banner="Test payments: no money moves"
      nav={
        <ShellNav
          label="Account"
          items={[
            { to: '/gallery', label: 'Orders', icon: 'ticket' },
            { to: '/trip_cards', label: 'Trip cards', icon: 'trip-card' },
            { to: '/payment_methods', label: 'Payment', icon: 'card' },
            { to: '/account', label: 'Account', icon: 'person' },
            { to: '/security', label: 'Security', icon: 'shield' },
          ]}
        />
      }
      actions={
        <div>
          <Button size="small" variant="secondary" onClick={toggleTheme}>
            {isDark ? 'Light' : 'Dark'}
          </Button>
        </div>
      }
      footer="Harbour Line Ferries"
    >
      <PageHeader
        title="Gallery"
        intro="Every part of the design system with its states."
        back={{ to: '/', label: 'Home' }}
        action={<AccentChoice />}
      />
      {Object.entries(sections).map(([title, Content]) => (
        <section key={title} className={styles.section} data-section={title.toLowerCase()}>
          <h2 className={styles.title}>{title}</h2>
          <div className={styles.grid}>
            <Content />
          </div>
        </section>
      ))}
      <StickyBar>
        <Money amount={18450} currency="USD" size="large" />
        <Button size="large">Continue</Button>
      </StickyBar>
    </AppShell>
  );
}

function AccentChoice() {
  return (
    <fieldset className={styles.accents}>
      <legend className="visually-hidden">Accent color</legend>
      {accents.map((accent) => (
        <button
          key={accent}
          type="button"
          aria-label={accent}
          style={{ background: accent }}
          onClick={() => document.documentElement.style.setProperty('--accent', accent)}
        />
      ))}
    </fieldset>
  );
}
