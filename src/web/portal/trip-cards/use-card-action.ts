import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { runWithStepUp } from '#web/platform/forms/step-up.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { createIdempotentWrites } from '#web/platform/idempotency/idempotent-writes.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { refreshTripCards } from './queries.ts';

type Send<Input, Data> = (input: Input, idempotencyKey: string) => Promise<Data>;
/** The text of the notification after a success. */
type DescribeSuccess<Input, Data> = (data: Data, input: Input) => string;

/** Changes a card. A write whose outcome is unknown is repeated under its idempotency key. */
export function useCardAction<Input = void, Data = unknown>(
  act: Send<Input, Data>,
  describeSuccess?: DescribeSuccess<Input, Data>,
  onDone?: (data: Data) => void,
) {
  const { write, finish, refresh } = useCardWrites(act, describeSuccess, onDone);
  return useAction(write, { onDone: finish, onSettled: refresh });
}

type CardFormOptions<Values extends object, Body, Data> = Omit<
  Parameters<typeof useForm<Values, Data>>[0],
  'send' | 'onDone'
> & {
  toBody: (values: Values) => Body;
  send: Send<Body, Data>;
  describeSuccess?: DescribeSuccess<Body, Data>;
  onDone: (data: Data) => void;
};

/** A form that changes a card in the same way. */
export function useCardForm<Values extends object, Body, Data>(options: CardFormOptions<Values, Body, Data>) {
  const { toBody, send, describeSuccess, onDone, ...rest } = options;
  const { write, finish, refresh } = useCardWrites(send, describeSuccess, onDone);
  useBusyWhile(true, 'a form being filled in');
  return useForm<Values, Data>({
    ...rest,
    send: (values) => write(toBody(values)),
    onDone: (data, values) => finish(data, toBody(values)),
    onSettled: refresh,
  });
}

function useCardWrites<Input, Data>(
  send: Send<Input, Data>,
  describeSuccess: DescribeSuccess<Input, Data> | undefined,
  onDone: ((data: Data) => void) | undefined,
) {
  const client = useQueryClient();
  const [writes] = useState(() => createIdempotentWrites());
  return {
    // The key stays the same after a step-up.
    write: (input: Input) =>
      writes.run(JSON.stringify(input) ?? '', (key) => runWithStepUp(() => send(input, key))),
    finish: (data: Data, input: Input) => {
      if (describeSuccess) notify(describeSuccess(data, input), { type: 'success' });
      onDone?.(data);
    },
    refresh: () => refreshTripCards(client),
  };
}
