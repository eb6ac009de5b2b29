import { nameSetting, nameSettingChoice } from '#sentences/settings/names.ts';
import { t } from '#web/language/texts.ts';
import type { StaffSetting } from '#web/platform/api/types.ts';
import { TextAreaField, TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { describeSource } from './setting-texts.ts';
import styles from './settings.module.css';

type SettingFieldProps = {
  setting: StaffSetting;
  currency: string;
  id: string;
  name: string;
  value: string;
  error: string | undefined;
  /** What others have published meanwhile; undefined for nothing. */
  published: string | undefined;
  /** Its section says where the values are from. */
  isSourceSaid: boolean;
  onChange: (value: string) => void;
};

/** The control for a setting of its kind. */
export function SettingField({
  setting,
  currency,
  published,
  isSourceSaid,
  onChange,
  ...control
}: SettingFieldProps) {
  const { kind, choices, language } = setting;
  const field = {
    ...control,
    label: nameSetting(t, setting.path),
    hint: describe(setting, { currency, published, isSourceSaid }),
    lang: language ?? undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (kind) {
    case 'switch':
      return (
        <Switch
          id={field.id}
          name={field.name}
          label={field.label}
          description={field.hint}
          checked={field.value === 'true'}
          onChange={(event) => onChange(String(event.target.checked))}
        />
      );
    case 'choice':
      return (
        <Select
          {...field}
          options={choices.map((choice) => ({ value: choice, label: nameSettingChoice(t, choice) }))}
        />
      );
    case 'paragraphs':
      return <TextAreaField {...field} rows={8} />;
    case 'color':
      return (
        <TextField
          {...field}
          autoComplete="off"
          spellCheck={false}
          end={<Sample key={field.value} color={field.value} />}
        />
      );
    default:
      return (
        <TextField
          {...field}
          autoComplete="off"
          inputMode={kind === 'number' || kind === 'amount' ? 'decimal' : undefined}
        />
      );
  }
}

function Sample({ color }: { color: string }) {
  return <span className={styles.sample} style={{ background: color }} aria-hidden="true" />;
}

function describe(
  setting: StaffSetting,
  { currency, published, isSourceSaid }: Pick<SettingFieldProps, 'currency' | 'published' | 'isSourceSaid'>,
): string | undefined {
  const { kind } = setting;
  const parts = [
    kind === 'paragraphs' && t('An empty line ends a paragraph.'),
    kind === 'amount' && t('In {currency}.', { currency }),
    kind === 'amounts' && t('In {currency}, with a semicolon between them.', { currency }),
    !isSourceSaid && describeSource(setting, 1),
    published !== undefined && t('Published meanwhile: {value}', { value: published }),
  ].filter((part) => part !== false && part !== null);
  return parts.length === 0 ? undefined : parts.join(' ');
}
