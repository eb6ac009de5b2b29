import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { runWithStepUp } from '#web/platform/forms/step-up.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { createIdempotentWrites } from '#web/platform/idempotency/idempotent-writes.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { usePreloadStepUp } from '../step-up/use-step-up.ts';
import { refreshTripCards } from './queries.ts';

type Send<Input, Data> = (input: Input, idempotencyKey: string) => Promise<Data>;

/** Changes a card. A write whose outcome is unknown is repeated under its idempotency key. */
export function useCardAction<Input = void, Data = unknown>(
  act: Send<Input, Data>,
  onDone?: (data: Data, input: Input) => void,
) {
  const { write, refresh } = useCardWrites(act);
  return useAction(write, { onDone, onSettled: refresh });
}

type CardFormOptions<Values extends object, Body, Data> = Omit<
  Parameters<typeof useForm<Values, Data>>[0],
  'send' | 'onDone'
> & {
  toBody: (values: Values) => Body;
  send: Send<Body, Data>;
  onDone: (data: Data, body: Body) => void;
};

/** A form that changes a card in the same way. */
export function useCardForm<Values extends object, Body, Data>(options: CardFormOptions<Values, Body, Data>) {
  const { toBody, send, onDone, ...rest } = options;
  const { write, refresh } = useCardWrites(send);
  useBusyWhile(true, 'a form being filled in');
  return useForm<Values, Data>({
    ...rest,
    send: (values) => write(toBody(values)),
    onDone: (data, values) => onDone(data, toBody(values)),
    onSettled: refresh,
  });
}

function useCardWrites<Input, Data>(send: Send<Input, Data>) {
  const client = useQueryClient();
  const [writes] = useState(() => createIdempotentWrites());
  usePreloadStepUp();
  return {
    // The key stays the same after a step-up.
    write: (input: Input) =>
      writes.run(JSON.stringify(input) ?? '', (key) => runWithStepUp(() => send(input, key))),
    refresh: () => refreshTripCards(client),
  };
}
