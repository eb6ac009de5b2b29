import { ASSISTANCE_NEEDS, ASSISTANCE_NOTE_LENGTH } from '#contract/orders/buy/assistance.ts';
import type { AskedByTraveler } from '#domain/orders/assistance.ts';
import { describeShortNotice, NEED_TEXTS } from '#sentences/assistance.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { Traveler } from '../traveler-names/travelers.ts';
import type { AskedAssistance } from './asked-assistance.ts';

type AssistanceFieldsProps = {
  travelers: readonly (Traveler & { name: string | undefined })[];
  noticeHours: number;
  /** The ports with departures for which the operator has less notice. */
  latePorts: readonly string[];
  asked: AskedAssistance;
  onChange: (asked: AskedAssistance) => void;
};

/** What each traveler needs help with. */
export function AssistanceFields({
  travelers,
  noticeHours,
  latePorts,
  asked,
  onChange,
}: AssistanceFieldsProps) {
  const fieldsOf = ({ key, label }: Traveler) => (
    <NeedsFields
      key={key}
      label={label}
      asked={asked[key] ?? { needs: [], note: '' }}
      onChange={(changed) => onChange({ ...asked, [key]: changed })}
    />
  );
  return (
    <Stack>
      <p className="note">
        {t(
          'Ask at least {hours, plural, one {# hour} other {# hours}} before departure, so that the crew is ready. Only the ferry’s staff and the buyer see this.',
          { hours: noticeHours },
        )}
      </p>
      {latePorts.length > 0 && (
        <Notice type="warning">{describeShortNotice(t, textLanguage(), latePorts, noticeHours)}</Notice>
      )}
      {travelers.map((traveler) =>
        travelers.length === 1 ? (
          fieldsOf(traveler)
        ) : (
          <Disclosure
            key={traveler.key}
            summary={traveler.name || traveler.label}
            open={hasAsked(asked[traveler.key])}
          >
            {fieldsOf(traveler)}
          </Disclosure>
        ),
      )}
    </Stack>
  );
}

type NeedsFieldsProps = {
  label: string;
  asked: AskedByTraveler;
  onChange: (asked: AskedByTraveler) => void;
};

function NeedsFields({ label, asked, onChange }: NeedsFieldsProps) {
  return (
    <Stack as="fieldset" gap="sm">
      <legend className="visually-hidden">{t('Assistance for {traveler}', { traveler: label })}</legend>
      {ASSISTANCE_NEEDS.map((need) => (
        <Checkbox
          key={need}
          label={t(NEED_TEXTS[need])}
          checked={asked.needs.includes(need)}
          onChange={({ target }) =>
            onChange({
              ...asked,
              needs: ASSISTANCE_NEEDS.filter((each) =>
                each === need ? target.checked : asked.needs.includes(each),
              ),
            })
          }
        />
      ))}
      <TextField
        label={t('Anything else the crew should know')}
        isOptional
        hint={t('Such as an assistance dog, or a seat near the exit.')}
        autoComplete="off"
        dir="auto"
        maxLength={ASSISTANCE_NOTE_LENGTH}
        value={asked.note}
        onChange={({ target }) => onChange({ ...asked, note: target.value })}
      />
    </Stack>
  );
}

function hasAsked(asked: AskedByTraveler | undefined): boolean {
  return asked !== undefined && (asked.needs.length > 0 || asked.note !== '');
}
