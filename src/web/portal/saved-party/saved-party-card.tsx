import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PERSON_NAME_LENGTH, VEHICLE_NAME_LENGTH } from '#contract/limits.ts';
import {
  removeTraveler,
  removeVehicle,
  renameTraveler,
  renameVehicle,
} from '#contract/saved-party/endpoints.ts';
import { savedPartyQuery } from '#web/features/saved-party/saved-party.ts';
import { ConfirmDialog, FormDialog } from '#web/features/site/dialogs.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Catalogue, SavedParty } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';

/** A vehicle or a traveler. `name` is the customer's own, `title` what is shown. */
type Saved = { kind: 'vehicle' | 'traveler'; id: string; name: string; title: string; details: string };
type Open = { saved: Saved; dialog: 'rename' | 'remove' };

/** What the customer saved for the next purchase, to rename and to delete. */
export function SavedPartyCard() {
  const query = useQuery(savedPartyQuery);
  const { data: catalogue } = useQuery(catalogueQuery());
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const rows = query.data ? listSaved(query.data, catalogue) : undefined;
  return (
    <>
      <Card title={t('Vehicles and travelers')}>
        {rows === undefined ? (
          <QueryFallback
            query={query}
            problem={t('What you saved could not be loaded')}
            loading={t('Loading what you saved…')}
          >
            <Skeleton height="1.75rem" lines={2} />
          </QueryFallback>
        ) : (
          <Stack>
            <p>
              {rows.length === 0
                ? t(
                    'You can save vehicles and travelers when you buy tickets. Next time one tap fills them in.',
                  )
                : t('One tap fills them in when you buy tickets.')}
            </p>
            {rows.length > 0 && (
              <RowList
                label={t('Vehicles and travelers')}
                rows={rows.map((saved) => ({
                  id: saved.id,
                  title: <span translate="no">{saved.title}</span>,
                  details: saved.details,
                  action: <SavedMenu title={saved.title} onChoose={(dialog) => setOpen({ saved, dialog })} />,
                }))}
              />
            )}
          </Stack>
        )}
      </Card>
      {open?.dialog === 'rename' && <RenameDialog saved={open.saved} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDialog saved={open.saved} onClose={close} />}
    </>
  );
}

function listSaved({ vehicles, travelers }: SavedParty, catalogue: Catalogue | undefined): Saved[] {
  const nameType = (types: readonly { code: string; name: string }[] | undefined, type: string) =>
    types?.find(({ code }) => code === type)?.name ?? '';
  return [
    ...vehicles.map(({ id, name, plate, vehicle }) => {
      const type = nameType(catalogue?.vehicleTypes, vehicle.type);
      const title = name || plate || type;
      const details = [type, plate].filter((text) => text && text !== title).join(' · ');
      return { kind: 'vehicle' as const, id, name, title, details };
    }),
    ...travelers.map(({ id, name, type }) => {
      const details = nameType(catalogue?.passengerTypes, type);
      return { kind: 'traveler' as const, id, name, title: name, details };
    }),
  ];
}

type SavedMenuProps = { title: string; onChoose: (dialog: Open['dialog']) => void };

function SavedMenu({ title, onChoose }: SavedMenuProps) {
  return (
    <Menu
      label=""
      icon="more"
      variant="quiet"
      accessibleLabel={t('Change {name}', { name: title })}
      items={[
        { id: 'rename', label: t('Rename'), onSelect: () => onChoose('rename') },
        { id: 'remove', label: t('Remove'), isDanger: true, onSelect: () => onChoose('remove') },
      ]}
    />
  );
}

type DialogProps = { saved: Saved; onClose: () => void };

function RenameDialog({ saved: { kind, id, name, title }, onClose }: DialogProps) {
  const reload = useReloadSavedParty();
  const isVehicle = kind === 'vehicle';
  const form = useForm({
    initial: { name },
    check: ({ name }): { name?: string } =>
      !isVehicle && name.trim() === '' ? { name: MESSAGES.label } : {},
    send: ({ name }) =>
      request(isVehicle ? renameVehicle : renameTraveler, { params: { id }, body: { name: name.trim() } }),
    onDone: onClose,
    onSettled: reload,
  });
  return (
    <FormDialog
      form={form}
      title={t('Rename “{name}”', { name: title })}
      size="sm"
      confirm={t('Save')}
      pendingText={t('Saving…')}
      onClose={onClose}
    >
      <TextField
        {...form.input('name')}
        label={t('Name')}
        isOptional={isVehicle}
        autoComplete="off"
        maxLength={isVehicle ? VEHICLE_NAME_LENGTH : PERSON_NAME_LENGTH}
      />
    </FormDialog>
  );
}

function RemoveDialog({ saved: { kind, id, title }, onClose }: DialogProps) {
  const reload = useReloadSavedParty();
  const remove = useAction(
    () => request(kind === 'vehicle' ? removeVehicle : removeTraveler, { params: { id } }),
    { onDone: onClose, onSettled: reload },
  );
  return (
    <ConfirmDialog
      title={t('Remove “{name}”?', { name: title })}
      size="sm"
      confirm={t('Remove')}
      action={remove}
      onClose={onClose}
    >
      <p>{t('Your orders stay as they are.')}</p>
    </ConfirmDialog>
  );
}

function useReloadSavedParty(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries(savedPartyQuery);
}
