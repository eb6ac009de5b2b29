import { changeBoat, previewBoatChange } from '#contract/desk/endpoints.ts';
import { DELAY_LIMIT_MINUTES } from '#contract/desk/limits.ts';
import type { BoatChangeInput } from '#contract/desk/schemas.ts';
import type { ExceptionReason } from '#contract/sailings/exceptions.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { BoatDetails } from '#web/platform/api/types.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { listTexts, PassengerTexts, ReasonField, type Texts } from './announcement-fields.tsx';
import { type BoatChangeForm, ChangeForm } from './change-form.tsx';
import { CHANGE_NAMES, type ChangeKind } from './change-texts.ts';

type Values = {
  minutes: number;
  vessel: string;
  time: string;
  scope: 'boat' | 'vessel_today';
  reason: ExceptionReason | '';
  texts: Texts;
};

type ChangeDialogProps = { details: BoatDetails; kind: ChangeKind; onClose: () => void };

/** A delay, a cancellation, another vessel or another change of a boat. */
export function ChangeDialog({ details, kind, onClose }: ChangeDialogProps) {
  const requestOnce = useRequestOnce();
  const params = { id: details.boat.id };
  const names = CHANGE_NAMES[kind];
  return (
    <ChangeForm
      title={t(names.button)}
      confirm={t(names.confirm)}
      isDangerous={kind === 'canceled'}
      initial={(): Values => ({
        ...{ minutes: details.boat.delayMinutes || 15, vessel: '', time: '', scope: 'boat' },
        ...{ reason: '', texts: {} },
      })}
      check={(values) => checkValues(kind, values)}
      ask={(values) => request(previewBoatChange, { params, body: describeInput(kind, values) })}
      act={(values) => requestOnce(changeBoat, { params, body: describeInput(kind, values) })}
      busyReason="a change of a boat being typed"
      onClose={onClose}
    >
      {(form) => (
        <>
          <KindField form={form} kind={kind} details={details} />
          {kind !== 'extra' && (
            <Segmented
              {...form.field('scope')}
              legend={t('For which boats')}
              value={form.values.scope}
              onChange={(scope) => form.change({ scope })}
              options={[
                { value: 'boat', label: t('This boat') },
                { value: 'vessel_today', label: t('This boat and the vessel’s later ones on this day') },
              ]}
            />
          )}
          {needsReason(kind) && (
            <ReasonField
              {...form.field('reason')}
              value={form.values.reason}
              onChange={(reason) => form.change({ reason })}
            />
          )}
          <PassengerTexts
            {...form.field('texts')}
            value={form.values.texts}
            language={details.language}
            isRequired={kind === 'notice'}
            onChange={(texts) => form.change({ texts })}
          />
        </>
      )}
    </ChangeForm>
  );
}

type KindFieldProps = Pick<ChangeDialogProps, 'kind' | 'details'> & { form: BoatChangeForm<Values> };

/** What only this kind of change needs. */
function KindField({ form, kind, details }: KindFieldProps) {
  const others = details.vessels.filter(({ code }) => code !== details.boat.vessel.code);
  switch (kind) {
    case 'delayed':
      return (
        <Counter
          {...form.field('minutes')}
          label={t('Minutes late')}
          description={t('0 if it is on time again.')}
          value={form.values.minutes}
          max={DELAY_LIMIT_MINUTES}
          onChange={(minutes) => form.change({ minutes })}
        />
      );
    case 'vessel':
      return (
        <Select
          {...form.field('vessel')}
          label={t('Vessel')}
          placeholder={t('Choose a vessel')}
          value={form.values.vessel}
          onChange={(event) => form.change({ vessel: event.target.value })}
          options={others.map(({ code, name }) => ({ value: code, label: name }))}
        />
      );
    case 'extra':
      return (
        <>
          <TextField
            {...form.input('time')}
            type="time"
            label={t('Departure|a time')}
            hint={t('On the same day, on the clock of the port.')}
            required
          />
          <Select
            {...form.field('vessel')}
            label={t('Vessel')}
            value={form.values.vessel}
            onChange={(event) => form.change({ vessel: event.target.value })}
            options={[
              { value: '', label: details.boat.vessel.name },
              ...others.map(({ code, name }) => ({ value: code, label: name })),
            ]}
          />
        </>
      );
    default:
      return null;
  }
}

function needsReason(kind: ChangeKind): boolean {
  return kind === 'delayed' || kind === 'canceled' || kind === 'suspended' || kind === 'vessel';
}

function checkValues(kind: ChangeKind, { vessel, time, texts }: Values) {
  if (kind === 'vessel' && vessel === '') return { vessel: t('Choose the vessel that runs instead.') };
  if (kind === 'extra' && time === '') return { time: t('Enter when it leaves.') };
  if (kind === 'notice' && listTexts(texts).length === 0)
    return { texts: t('Write what passengers are told.') };
  return {};
}

function describeInput(kind: ChangeKind, values: Values): BoatChangeInput {
  const { scope, minutes, vessel, time } = values;
  const said = { reason: values.reason || null, texts: listTexts(values.texts) };
  switch (kind) {
    case 'delayed':
      return { kind, scope, ...said, minutes };
    case 'vessel':
      return { kind, scope, ...said, vessel };
    case 'extra':
      return { kind, ...said, time, vessel: vessel || null };
    default:
      return { kind, scope, ...said };
  }
}
