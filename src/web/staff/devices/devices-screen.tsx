import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEVICE_NAME_LENGTH } from '#contract/gate/limits.ts';
import { addGateDevice, listGateDevices, revokeGateDevice } from '#contract/gate-devices/endpoints.ts';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatForReader } from '#web/features/site/reader-time.ts';
import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { AddedGateDevice, GateDevice } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { CopyButton } from '#web/ui/form/copy-button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './devices-screen.module.css';

const DEVICES_KEY = ['gate-devices'] as const;
/** While a code waits to be scanned. In milliseconds. */
const WAITING_INTERVAL_MS = 3000;

/** The phones and handhelds of the gates. */
export function DevicesScreen() {
  const [added, setAdded] = useState<AddedGateDevice | null>(null);
  const devices = useQuery({
    queryKey: DEVICES_KEY,
    queryFn: ({ signal }) => request(listGateDevices, { signal }),
    refetchInterval: added === null ? false : WAITING_INTERVAL_MS,
  });
  const pairing = devices.data?.find(({ id }) => id === added?.id);
  return (
    <>
      <PageHeader
        title={t('Devices')}
        intro={t('Phones and handhelds that check tickets at the gates. Shifts at them start with a PIN.')}
      />
      <Stack>
        {added !== null && pairing?.pairedAt == null ? (
          <PairingCode added={added} onClose={() => setAdded(null)} />
        ) : (
          <AddForm onAdded={setAdded} pairedName={pairing?.name ?? null} />
        )}
        {devices.data ? (
          <DeviceTable devices={devices.data} />
        ) : (
          <QueryFallback query={devices} problem={t('We could not load the devices')} loading={t('Loading…')}>
            <Skeleton height="12rem" />
          </QueryFallback>
        )}
      </Stack>
    </>
  );
}

type AddFormProps = {
  onAdded: (added: AddedGateDevice) => void;
  /** The device that has just been paired. */
  pairedName: string | null;
};

function AddForm({ onAdded, pairedName }: AddFormProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { name: '' },
    check: ({ name }): { name?: string } =>
      name.trim() === '' ? { name: t('Give the device a name.') } : {},
    send: ({ name }) => request(addGateDevice, { body: { name: name.trim() } }),
    onDone: async (added) => {
      await client.invalidateQueries({ queryKey: DEVICES_KEY });
      onAdded(added);
    },
    busyReason: 'a device being added',
  });
  return (
    <Card title={t('Add a device')}>
      <Stack>
        {pairedName !== null && (
          <Notice type="success" role="status">
            {t('{device} is paired.', { device: pairedName })}
          </Notice>
        )}
        <Form form={form} problemTitle={t('The device was not added')}>
          <TextField
            {...form.input('name')}
            label={t('Name')}
            hint={t('Where it is used, such as “Ramp 1”.')}
            autoComplete="off"
            maxLength={DEVICE_NAME_LENGTH}
            required
          />
          <Button type="submit" isPending={form.isPending} pendingText={t('One moment…')}>
            {t('Show the code')}
          </Button>
        </Form>
      </Stack>
    </Card>
  );
}

function PairingCode({ added, onClose }: { added: AddedGateDevice; onClose: () => void }) {
  return (
    <Card title={t('Scan this code with the new device')}>
      <Stack>
        <p>
          {t('Use its camera. The code works once, until {time}.', {
            time: formatForReader('clock', added.expiresAt),
          })}
        </p>
        <div className={styles.code}>
          <QrCode payload={added.link} label={t('Code that pairs the device')} />
        </div>
        <div>
          <CopyButton size="small" text={added.link} label={t('Copy the link')} />
        </div>
        <div>
          <Button variant="secondary" onClick={onClose}>
            {t('Close')}
          </Button>
        </div>
      </Stack>
    </Card>
  );
}

function DeviceTable({ devices }: { devices: readonly GateDevice[] }) {
  const [revoking, setRevoking] = useState<GateDevice | null>(null);
  const columns: Column<GateDevice>[] = [
    { id: 'name', header: t('Name'), cell: ({ name }) => name },
    { id: 'staff', header: t('On shift'), cell: ({ staff }) => staff ?? t('No one|on shift') },
    {
      id: 'seen',
      header: t('Last shift'),
      cell: ({ pairedAt, lastSeenAt }) =>
        pairedAt === null ? t('Not paired yet') : formatForReader('shortDayAndClock', lastSeenAt ?? pairedAt),
    },
    {
      id: 'actions',
      header: t('Actions'),
      cell: (device) => (
        <Button size="small" variant="secondary" onClick={() => setRevoking(device)}>
          {t('Revoke')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table caption={t('Paired devices')} columns={columns} rows={devices} getKey={({ id }) => id} />
      {revoking && <RevokeDialog device={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeDialog({ device: { id, name }, onClose }: { device: GateDevice; onClose: () => void }) {
  const client = useQueryClient();
  const action = useAction(() => request(revokeGateDevice, { params: { id } }), {
    onDone: async () => {
      await client.invalidateQueries({ queryKey: DEVICES_KEY });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('Revoke {device}?', { device: name })}
      action={action}
      confirm={t('Revoke')}
      onClose={onClose}
    >
      <p>{t('Its shift ends at once, and it deletes its lists as soon as it has a connection.')}</p>
    </ConfirmDialog>
  );
}
