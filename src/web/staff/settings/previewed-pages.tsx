import { useState } from 'react';
import { showSettingsPreview } from '#contract/desk/settings/endpoints.ts';
import type { PreviewedPage } from '#contract/desk/settings/preview.ts';
import { fillPath } from '#contract/paths.ts';
import { LANGUAGES, listOfferedLanguages } from '#messages/languages.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from './settings.module.css';

/** Pages and a mail with the settings that were checked last, as a phone shows them. */
export function PreviewedPages() {
  const [page, setPage] = useState<PreviewedPage>('home');
  const [language, setLanguage] = useState<string>(pageLanguage());
  const pages: { value: PreviewedPage; label: string }[] = [
    { value: 'home', label: t('Home page') },
    { value: 'help', label: t('Help') },
    { value: 'mail', label: t('Email') },
  ];
  const path = fillPath(showSettingsPreview.path, { page });
  return (
    <Stack as="section" gap="sm" aria-label={t('How it looks')}>
      <h3>{t('How it looks')}</h3>
      <Cluster>
        <Segmented legend={t('Page')} isLegendHidden value={page} onChange={setPage} options={pages} />
        <Select
          label={t('Language')}
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
          options={listOfferedLanguages().map((each) => ({ value: each, label: LANGUAGES[each].name }))}
        />
      </Cluster>
      <iframe
        className={styles.page}
        title={t('{page}, with the new settings', {
          page: pages.find(({ value }) => value === page)?.label ?? '',
        })}
        src={`${path}?language=${language}`}
        sandbox="allow-same-origin"
      />
      <p>{t('Links and buttons do not work here.')}</p>
    </Stack>
  );
}
