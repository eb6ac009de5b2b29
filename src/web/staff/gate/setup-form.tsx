import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { listGatePorts } from '#contract/gate/endpoints.ts';
import { DEVICE_NAME_LENGTH } from '#contract/gate/limits.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePairedDevice } from '../devices/paired-device.ts';
import type { GateSetup } from './device/gate-setup.ts';

type SetupFormProps = { setup: GateSetup | null; onDone: (setup: GateSetup) => void };

/** Asks once for the port and the device's name. */
export function SetupForm({ setup, onDone }: SetupFormProps) {
  const ports = useQuery({
    queryKey: ['gate-ports'],
    queryFn: ({ signal }) => request(listGatePorts, { signal }),
  });
  const [port, setPort] = useState(setup?.port ?? '');
  const { data: paired } = usePairedDevice();
  const [typedName, setName] = useState(setup?.name ?? null);
  const name = typedName ?? paired?.name ?? '';
  const [isTried, setIsTried] = useState(false);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsTried(true);
    if (port !== '' && name.trim() !== '') onDone({ port, name: name.trim() });
  }

  return (
    <>
      <PageHeader
        title={t('Gate')}
        intro={t('Choose where this device stands. You can change it at any time.')}
      />
      {ports.data === undefined ? (
        <QueryFallback
          query={ports}
          problem={t('The ports could not be loaded')}
          loading={t('Loading the ports…')}
        >
          <Skeleton />
        </QueryFallback>
      ) : (
        <form noValidate onSubmit={handleSubmit}>
          <Stack>
            <Select
              label={t('Port')}
              placeholder={t('Choose a port')}
              options={ports.data.map(({ code, name: portName }) => ({ value: code, label: portName }))}
              value={port}
              error={isTried && port === '' ? t('Choose the port.') : undefined}
              onChange={(event) => setPort(event.target.value)}
            />
            <TextField
              label={t('Name of this device')}
              hint={t('Others see it beside what you scan, such as “Ramp 1”.')}
              value={name}
              maxLength={DEVICE_NAME_LENGTH}
              autoComplete="off"
              error={isTried && name.trim() === '' ? t('Enter a name.') : undefined}
              onChange={(event) => setName(event.target.value)}
            />
            <Button type="submit" size="large" block>
              {t('Open the gate')}
            </Button>
          </Stack>
        </form>
      )}
    </>
  );
}
