import { LANGUAGES, listOfferedLanguages } from '#messages/languages.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { Icon } from '#web/ui/icon.tsx';
import styles from './language-choice.module.css';

/** Changes the language of the product, if it has several. The page is loaded again, with what was typed. */
export function LanguageChoice() {
  if (listOfferedLanguages().length < 2) return null;
  return (
    <label className={styles.choice} translate="no">
      <span aria-hidden="true">{pageLanguage()}</span>
      <Icon name="globe" size="small" />
      <select
        aria-label={t('Language')}
        value={pageLanguage()}
        onChange={({ target }) => void changeLanguage(target.value)}
      >
        {listOfferedLanguages().map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGES[language].name}
          </option>
        ))}
      </select>
    </label>
  );
}

async function changeLanguage(language: string): Promise<void> {
  const change = await import('./change-language.ts');
  await change.changeLanguage(language);
}
