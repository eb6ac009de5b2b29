import { QUEUE_LABEL_LENGTH } from '#contract/gate/limits.ts';
import { joinQueue } from '#contract/gate/queue/endpoints.ts';
import { GROUP_LIMIT, PHONE_LENGTH } from '#contract/limits.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { formatLength, type Units } from '#web/features/site/lengths.ts';
import { parseLength } from '#web/features/site/units.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue, QueueEntry, Route, VehicleType } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { PhoneField, ReferenceField, TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { type QueueBoat, useStoreQueue } from './queue.ts';

type Values = {
  sailing: string;
  passengers: Readonly<Record<string, number>>;
  vehicle: string;
  length: string;
  height: string;
  plate: string;
  bicycles: number;
  label: string;
  phone: string;
};

type PartyFormProps = {
  boat: QueueBoat;
  catalogue: Catalogue;
  units: Units;
  /** They are sold tickets next, if there are places for them. */
  isForSale: boolean;
  /** The first field takes the focus. */
  startsFocused: boolean;
  onAdded: (entry: QueueEntry) => void;
  onClose: () => void;
};

/** Adds a party to the queue: who travels, with which vehicle, and how to find them again. */
export function PartyForm(props: PartyFormProps) {
  const { boat, catalogue, units, isForSale, startsFocused, onAdded, onClose } = props;
  const [first] = boat.sailings;
  const store = useStoreQueue(first.id);
  const requestOnce = useRequestOnce();
  const form = useForm({
    initial: (): Values => ({
      sailing: first.id,
      passengers: startParty(catalogue),
      vehicle: '',
      length: '',
      height: '',
      plate: '',
      bicycles: 0,
      label: '',
      phone: '',
    }),
    check: (values) => checkSizes(values, findType(catalogue, values), units),
    send: (values) => {
      const body = describeEntry(values, findType(catalogue, values), units);
      const params = { id: values.sailing };
      return requestOnce(joinQueue, { params, body });
    },
    onDone: ({ entryId, ...queue }) => {
      store(queue);
      onClose();
      const entry = queue.entries.find(({ id }) => id === entryId);
      if (entry) onAdded(entry);
    },
    byCode: {
      ...{ needs_adult: 'passengers', vehicle_too_long: 'length', vehicle_too_high: 'height' },
      ...{ vehicles_not_carried: 'vehicle' },
    },
    busyReason: 'a party being added to the queue',
  });
  const { values, change } = form;
  const type = findType(catalogue, values);
  const route = findRoute(boat, catalogue, values);
  const people = Object.values(values.passengers).reduce((sum, count) => sum + count, 0);
  const isGroup = people > catalogue.maxParty;
  return (
    <FormDialog
      form={form}
      title={isForSale ? t('Sell tickets') : t('Add to the queue')}
      confirm={isForSale ? t('Show the price') : t('Add')}
      problemTitle={isForSale ? t('Nothing is sold yet') : t('They are not in the queue yet')}
      startsFocused={startsFocused}
      onClose={onClose}
    >
      {boat.sailings.length > 1 && (
        <Select
          {...form.field('sailing')}
          label={t('To')}
          options={boat.sailings.map(({ id, destination }) => ({ value: id, label: destination }))}
          value={values.sailing}
          onChange={(event) => change({ sailing: event.target.value })}
        />
      )}
      {catalogue.passengerTypes.map(({ code, name }, index) => (
        <Counter
          key={code}
          {...(index === 0 ? form.field('passengers') : {})}
          label={name}
          value={values.passengers[code] ?? 0}
          max={GROUP_LIMIT}
          onChange={(count) => change({ passengers: { ...values.passengers, [code]: count } })}
        />
      ))}
      {route?.carriesVehicles !== false && (
        <Select
          {...form.field('vehicle')}
          label={t('Vehicle')}
          placeholder={t('No vehicle')}
          options={catalogue.vehicleTypes.map(({ code, name }) => ({ value: code, label: name }))}
          value={values.vehicle}
          onChange={(event) => change({ vehicle: event.target.value })}
        />
      )}
      {type && <VehicleFields form={form} type={type} units={units} />}
      {route?.carriesBicycles !== false && (
        <Counter
          {...form.field('bicycles')}
          label={t('Bicycles')}
          value={values.bicycles}
          max={GROUP_LIMIT}
          onChange={(bicycles) => change({ bicycles })}
        />
      )}
      <TextField
        {...form.input('label')}
        label={isGroup ? t('Name of the group') : t('How you find them again')}
        hint={isGroup ? t('The order is in this name.') : t('Such as a name, or “red van”.')}
        maxLength={QUEUE_LABEL_LENGTH}
        autoComplete="off"
        isOptional
      />
      <PhoneField
        {...form.input('phone')}
        label={t('Phone')}
        maxLength={PHONE_LENGTH}
        autoComplete="off"
        isOptional
      />
    </FormDialog>
  );
}

type VehicleFieldsProps = {
  form: Pick<ReturnType<typeof useForm<Values>>, 'input' | 'values'>;
  type: VehicleType;
  units: Units;
};

function VehicleFields({ form, type, units }: VehicleFieldsProps) {
  const lengthCm = parseLength(form.values.length, units);
  return (
    <>
      {type.lengthRequired && (
        <TextField
          {...form.input('length')}
          label={t('Length')}
          hint={
            lengthCm === null
              ? t('With trailer, tow bar and bikes.')
              : t('That is {length}.', { length: formatLength(lengthCm, units) })
          }
          autoComplete="off"
        />
      )}
      {type.heightRequired && <TextField {...form.input('height')} label={t('Height')} autoComplete="off" />}
      <ReferenceField
        {...form.input('plate')}
        label={t('License plate')}
        autoComplete="off"
        isOptional={!type.plateRequired}
      />
    </>
  );
}

/** One passenger of the usual type. */
function startParty({ passengerTypes }: Catalogue): Values['passengers'] {
  const usual = passengerTypes.find(({ isDefault }) => isDefault) ?? passengerTypes[0];
  return usual ? { [usual.code]: 1 } : {};
}

function findType({ vehicleTypes }: Catalogue, { vehicle }: Values): VehicleType | undefined {
  return vehicleTypes.find(({ code }) => code === vehicle);
}

function findRoute({ sailings }: QueueBoat, { routes }: Catalogue, { sailing }: Values): Route | undefined {
  const routeId = sailings.find(({ id }) => id === sailing)?.route_id;
  return routes.find(({ id }) => id === routeId);
}

function checkSizes(values: Values, type: VehicleType | undefined, units: Units) {
  const isMissing = (size: 'length' | 'height') => parseLength(values[size], units) === null;
  return {
    ...(type?.lengthRequired && isMissing('length') ? { length: t('Enter the length.') } : {}),
    ...(type?.heightRequired && isMissing('height') ? { height: t('Enter the height.') } : {}),
  };
}

function describeEntry(values: Values, type: VehicleType | undefined, units: Units) {
  const { passengers, bicycles, label, phone, plate } = values;
  const size = (isAsked: boolean, typed: string) => (isAsked ? parseLength(typed, units) : null) ?? undefined;
  return {
    passengers: Object.entries(passengers).map(([code, count]) => ({ type: code, count })),
    vehicle: type
      ? {
          type: type.code,
          lengthCm: size(type.lengthRequired, values.length),
          heightCm: size(type.heightRequired, values.height),
        }
      : null,
    plate: type && plate.trim() !== '' ? plate : null,
    bicycles,
    label: label.trim(),
    phone: phone.trim(),
  };
}
