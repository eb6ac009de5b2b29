import { useQueryClient } from '@tanstack/react-query';
import { holdBackPlaces, previewHeldBackPlaces } from '#contract/desk/held-back/endpoints.ts';
import { HELD_BACK_REASON_LENGTH } from '#contract/desk/limits.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import type { Units } from '#web/features/site/lengths.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { DeskBoat, HeldBackOutcome } from '#web/platform/api/types.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { ReviewDialog } from '../review-dialog.tsx';
import { useReviewedForm } from '../use-reviewed-form.ts';
import { refreshBoats } from './boat-queries.ts';
import { describePlaces, formatPlaces, isLane, type Resource } from './places.ts';

const FIELDS = {
  passenger: 'passenger',
  lane_cm: 'laneCm',
  tall_lane_cm: 'tallLaneCm',
  bicycle: 'bicycle',
} as const satisfies Record<Resource, string>;

/** In places, and centimeters of lanes. */
type Values = Record<(typeof FIELDS)[Resource], number> & { reason: string };

type HoldBackDialogProps = { boat: DeskBoat; onClose: () => void };

/** Asks what is held back and for whom, shows what is left for sale online, and holds it back. */
export function HoldBackDialog({ boat, onClose }: HoldBackDialogProps) {
  const client = useQueryClient();
  const requestOnce = useRequestOnce();
  const params = { id: boat.id };
  const { form, preview, review } = useReviewedForm({
    initial: (): Values => ({ passenger: 0, laneCm: 0, tallLaneCm: 0, bicycle: 0, reason: '' }),
    check: checkValues,
    ask: (values) => request(previewHeldBackPlaces, { params, body: values }),
    act: (values) => requestOnce(holdBackPlaces, { params, body: values }),
    onDone: async () => {
      await refreshBoats(client);
      notify(t('The places are not sold online any more.'), { type: 'success' });
      onClose();
    },
    busyReason: 'places to hold back being typed',
  });
  if (preview !== null) {
    return (
      <ReviewDialog
        title={t('Hold places back')}
        confirm={t('Hold places back')}
        {...review}
        onClose={onClose}
      >
        <Outcome outcome={preview} />
      </ReviewDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t('Hold places back')}
      confirm={t('See what is left')}
      problemTitle={t('This cannot be done yet')}
      onClose={onClose}
    >
      {boat.loads.map((load) => (
        <PlacesField key={load.resource} form={form} load={load} />
      ))}
      <TextField
        {...form.input('reason')}
        label={t('For whom, or why')}
        hint={t('Only staff read it.')}
        maxLength={HELD_BACK_REASON_LENGTH}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}

type Form = ReturnType<typeof useForm<Values, HeldBackOutcome>>;

/** Lanes are counted in meters or feet. */
function PlacesField({ form, load }: { form: Form; load: DeskBoat['loads'][number] }) {
  const { units } = useSettings();
  const { resource, freeOnline } = load;
  const field = FIELDS[resource];
  const step = isLane(resource) ? CM_PER_UNIT[units] : 1;
  return (
    <Counter
      {...form.field(field)}
      label={nameField(resource, units)}
      description={t('{free} free online', { free: formatPlaces(resource, freeOnline, units) })}
      value={Math.round(form.values[field] / step)}
      max={Math.floor(freeOnline / step)}
      onChange={(amount) => form.change({ [field]: Math.round(amount * step) })}
    />
  );
}

const CM_PER_UNIT: Readonly<Record<Units, number>> = { metric: 100, imperial: 30.48 };

function nameField(resource: Resource, units: Units): string {
  switch (resource) {
    case 'passenger':
      return t('People');
    case 'bicycle':
      return t('Bicycles');
    case 'lane_cm':
      return units === 'metric' ? t('Meters of lane') : t('Feet of lane');
    case 'tall_lane_cm':
      return units === 'metric' ? t('Meters of tall lane') : t('Feet of tall lane');
  }
}

function Outcome({ outcome: { resources } }: { outcome: HeldBackOutcome }) {
  const { units } = useSettings();
  return (
    <ul>
      {resources.map(({ resource, heldBack, freeOnline }) => (
        <li key={resource}>
          {t('{places} held back. Then {free} are left for sale online.', {
            places: describePlaces(resource, heldBack, units),
            free: formatPlaces(resource, freeOnline, units),
          })}
        </li>
      ))}
    </ul>
  );
}

function checkValues({ reason, ...amounts }: Values) {
  return {
    ...(Object.values(amounts).every((amount) => amount === 0)
      ? { passenger: t('Choose what is held back.') }
      : {}),
    ...(reason.trim() === '' ? { reason: t('Write for whom or why they are held back.') } : {}),
  };
}
