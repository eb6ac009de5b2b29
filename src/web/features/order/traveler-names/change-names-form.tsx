import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changeOrder } from '#contract/orders/endpoints.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { ChangeNamesProps } from './change-names.tsx';
import { NameFields } from './name-fields.tsx';
import { findRefusedNames, travelersOf } from './travelers.ts';

export function ChangeNamesForm({ order, queryKey, onSaved }: ChangeNamesProps & { onSaved: () => void }) {
  const client = useQueryClient();
  const travelers = travelersOf(order.lines.filter(({ status }) => status === 'active'));
  const [names, setNames] = useState(() => travelers.map((_, index) => order.travelerNames?.[index] ?? ''));
  useBusyWhile(true, 'travelers’ names being typed');
  const change = useMutation({
    mutationFn: () =>
      request(changeOrder, {
        params: { id: order.id },
        body: { travelerNames: names.map((name) => name.trim()) },
      }),
    onSuccess: (changed) => {
      client.setQueryData(queryKey, changed);
      notify('The names on the tickets are saved.', { type: 'success' });
      onSaved();
    },
  });
  const refused = findRefusedNames(change.error);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  }

  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <NameFields
          travelers={travelers}
          names={names}
          buyer={order.contact.name}
          problems={refused}
          onChange={(index, name) => setNames(names.with(index, name))}
        />
        {change.isError && refused.length === 0 && (
          <Notice type="alert" role="alert">
            {errorText(change.error)}
          </Notice>
        )}
        <div>
          <Button
            type="submit"
            variant="secondary"
            needsConnection
            isPending={change.isPending}
            pendingText="Saving…"
          >
            Save names
          </Button>
        </div>
      </Stack>
    </form>
  );
}
