import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { quoteVehicle, recordVehicle } from '#contract/gate/vehicles/endpoints.ts';
import type { RecordVehicle } from '#contract/gate/vehicles/schemas.ts';
import { formatLength } from '#web/features/site/lengths.ts';
import { parseLength, USUAL_LENGTHS } from '#web/features/site/units.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { DataOf } from '#web/platform/api/request-types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { PaymentFields, readPayment, type TypedPayment } from '../payment-fields.tsx';
import styles from './answer-panel.module.css';

/** In centimetres. `vehicleType`: of another vehicle than booked. */
export type Size = { lengthCm: number; heightCm: number | null; vehicleType?: string };
type Quote = DataOf<typeof quoteVehicle>;

type MeasureFormProps = {
  ticketId: string;
  /** The device's name, which the payment keeps. */
  device: string;
  /** Without a connection no price is known: the size is noted, and the desk takes the difference later. */
  isOffline: boolean;
  onNoted: (size: Size) => void;
  /** Takes the vehicle off the boat again. */
  onRefused: () => void;
  onClose: () => void;
};

/** Asks for the measured size of a vehicle, and then what to do about the difference. */
export function MeasureForm({ ticketId, device, isOffline, onNoted, onRefused, onClose }: MeasureFormProps) {
  const [measured, setMeasured] = useState<{ size: Size; quote: Quote | null } | null>(null);
  return measured === null ? (
    <SizeForm {...{ ticketId, isOffline, onNoted, onClose }} onMeasured={setMeasured} />
  ) : (
    <DifferenceForm
      {...{ ticketId, device, ...measured, onRefused, onClose }}
      onAgain={() => setMeasured(null)}
    />
  );
}

type SizeFormProps = Pick<MeasureFormProps, 'ticketId' | 'isOffline' | 'onNoted' | 'onClose'> & {
  /** `quote`: null if the boat cannot take a vehicle of this size. */
  onMeasured: (measured: { size: Size; quote: Quote | null }) => void;
};

function SizeForm({ ticketId, isOffline, onNoted, onMeasured, onClose }: SizeFormProps) {
  const { units } = useSettings();
  const { data: catalogue } = useQuery(catalogueQuery());
  const [vehicleType, setVehicleType] = useState('');
  const [length, setLength] = useState('');
  const [height, setHeight] = useState('');
  const [isTried, setIsTried] = useState(false);
  const lengthCm = parseLength(length, units);
  const heightCm = parseLength(height, units);
  const isHeightWrong = height.trim() !== '' && heightCm === null;
  const type = catalogue?.vehicleTypes.find(({ code }) => code === vehicleType);
  const isHeightMissing = type?.heightRequired === true && heightCm === null;
  const size: Size | null =
    lengthCm === null || isHeightWrong || isHeightMissing
      ? null
      : { lengthCm, heightCm, ...(type ? { vehicleType: type.code } : {}) };
  const action = useAction((body: Size) => request(quoteVehicle, { params: { id: ticketId }, body }), {
    onDone: (quote, body) => onMeasured({ size: body, quote }),
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsTried(true);
    if (size === null) return;
    if (isOffline) onNoted(size);
    else action.run(size);
  }

  const hintOf = (cm: number | null) =>
    cm === null
      ? t('Such as {length}.', { length: USUAL_LENGTHS[units][0] })
      : t('That is {length}.', { length: formatLength(cm, units) });
  const sizeProblem = t('Enter a length.');
  return (
    <form noValidate className={styles.sheet} onSubmit={handleSubmit}>
      <Stack>
        {catalogue && (
          <Select
            label={t('Vehicle')}
            placeholder={t('As booked')}
            options={catalogue.vehicleTypes.map(({ code, name }) => ({ value: code, label: name }))}
            value={vehicleType}
            onChange={(event) => setVehicleType(event.target.value)}
          />
        )}
        <TextField
          label={t('Measured length')}
          hint={hintOf(lengthCm)}
          autoComplete="off"
          value={length}
          error={isTried && lengthCm === null ? sizeProblem : undefined}
          onChange={(event) => setLength(event.target.value)}
        />
        <TextField
          label={type?.heightRequired ? t('Measured height') : t('Measured height (optional)')}
          hint={hintOf(heightCm)}
          autoComplete="off"
          value={height}
          error={isTried && (isHeightWrong || isHeightMissing) ? sizeProblem : undefined}
          onChange={(event) => setHeight(event.target.value)}
        />
        <Problem text={action.problem} />
        {isOffline && <p>{t('The price needs a connection. The desk takes the difference later.')}</p>}
        <Button type="submit" size="large" block isPending={action.isPending}>
          {isOffline ? t('Note it and let aboard') : t('Compare with the booking')}
        </Button>
        {action.problem !== null && size !== null && (
          <Button variant="secondary" block needsConnection onClick={() => onMeasured({ size, quote: null })}>
            {t('Refuse the vehicle')}
          </Button>
        )}
        <Button variant="secondary" block onClick={onClose}>
          {t('Back')}
        </Button>
      </Stack>
    </form>
  );
}

type DifferenceFormProps = Omit<MeasureFormProps, 'isOffline' | 'onNoted'> & {
  size: Size;
  quote: Quote | null;
  onAgain: () => void;
};

function DifferenceForm({ ticketId, device, size, quote, onRefused, onClose, onAgain }: DifferenceFormProps) {
  const { units } = useSettings();
  const requestOnce = useRequestOnce();
  const [typedPayment, setTypedPayment] = useState<TypedPayment>({ method: 'cash', typed: '' });
  const [isTried, setIsTried] = useState(false);
  const difference = quote?.difference ?? 0;
  const payment = difference > 0 ? readPayment(typedPayment) : null;
  const isIncomplete = difference > 0 && payment === null;
  const action = useAction(
    (decision: RecordVehicle['decision']) => {
      const paid = decision === 'aboard' ? payment : null;
      const body = { ...size, device, decision, difference, payment: paid };
      return requestOnce(recordVehicle, { params: { id: ticketId }, body });
    },
    { onDone: (_, decision) => (decision === 'refused' ? onRefused() : onClose()) },
  );

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsTried(true);
    if (!isIncomplete) action.run('aboard');
  }

  const money = quote && formatMoney(difference, quote.currency);
  return (
    <form noValidate className={styles.sheet} onSubmit={handleSubmit}>
      <Stack>
        <p>
          {t('Measured length: {length}', { length: formatLength(size.lengthCm, units) })}
          {size.heightCm !== null && (
            <>
              <br />
              {t('Measured height: {height}', { height: formatLength(size.heightCm, units) })}
            </>
          )}
        </p>
        {quote && <p className={styles.reason}>{describeQuote(quote, size)}</p>}
        {difference > 0 && (
          <PaymentFields
            payment={typedPayment}
            error={isTried && isIncomplete ? t('Enter it to go on.') : undefined}
            onChange={setTypedPayment}
          />
        )}
        <Problem text={action.problem} />
        {quote && (
          <Button type="submit" size="large" block needsConnection isPending={action.isPending}>
            {difference > 0 ? t('{amount} taken: let aboard', { amount: money ?? '' }) : t('Let aboard')}
          </Button>
        )}
        {quote?.isLarger !== false && (
          <Button
            variant="secondary"
            block
            needsConnection
            isPending={action.isPending}
            onClick={() => action.run('refused')}
          >
            {t('Refuse the vehicle')}
          </Button>
        )}
        <Button variant="secondary" block onClick={onAgain}>
          {t('Measure again')}
        </Button>
      </Stack>
    </form>
  );
}

function describeQuote({ isLarger, difference, currency }: Quote, { vehicleType }: Size): string {
  const amount = formatMoney(difference, currency);
  if (isLarger && vehicleType !== undefined) {
    return difference === 0
      ? t('Not the vehicle that was booked, at the same price.')
      : t('Not the vehicle that was booked. The difference is {amount}.', { amount });
  }
  if (!isLarger) return t('Not larger than booked.');
  if (difference === 0) return t('Larger than booked, at the same price.');
  return t('Larger than booked. The difference is {amount}.', { amount });
}
