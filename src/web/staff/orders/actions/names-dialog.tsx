import { correctStaffOrder } from '#contract/desk/orders/endpoints.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { NameFields } from '#web/features/order/traveler-names/name-fields.tsx';
import {
  labelTicketHolders,
  type NameValues,
  nameField,
  replaceNames,
  type Traveler,
} from '#web/features/order/traveler-names/travelers.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextAreaField } from '#web/ui/form/field.tsx';
import { hasValidTickets, useShowOrder } from '../staff-order.ts';

type Values = NameValues & { list: string; mailTickets: boolean };

/** The names of more travelers are pasted as a list. */
const MOST_FIELDS = 9;

/** Corrects the names on the tickets. Their codes stay the same, so tickets that were printed before are still good. */
export function NamesDialog({ staffOrder, onClose }: { staffOrder: StaffOrder; onClose: () => void }) {
  const { order } = staffOrder;
  const travelers = labelTicketHolders(order.tickets);
  const saved = order.travelerNames ?? [];
  const buyer = order.contact.name;
  // As the tickets show them: one without a name shows the buyer's.
  const shown = (index: number) => saved[index] || buyer;
  const show = useShowOrder();
  const canMail = hasValidTickets(staffOrder) && order.contact.email !== '';
  const isList = travelers.length > MOST_FIELDS;
  const form = useForm({
    initial: (): Values => ({
      ...Object.fromEntries(travelers.map(({ index }) => [nameField(index), shown(index)])),
      list: travelers
        .map(({ index }) => saved[index] ?? '')
        .join('\n')
        .trimEnd(),
      mailTickets: canMail,
    }),
    check: ({ list }) => (isList ? checkList(list, travelers.length) : {}),
    send: ({ list, mailTickets, ...fields }) => {
      const values = isList ? readList(list, travelers) : keepUnnamed(fields, { travelers, saved, buyer });
      return request(correctStaffOrder, {
        params: { reference: order.reference },
        body: { travelerNames: replaceNames(saved, { travelers, values }), mailTickets },
      });
    },
    onDone: (corrected) => {
      show(corrected, t('The names on the tickets are saved.'));
      onClose();
    },
    busyReason: 'travelers’ names being typed',
  });
  return (
    <FormDialog
      form={form}
      title={t('Correct names')}
      confirm={t('Save names')}
      pendingText={t('Saving…')}
      problemTitle={t('The names are not saved yet')}
      onClose={onClose}
    >
      {isList ? (
        <TextAreaField
          {...form.input('list')}
          label={t('One name per line')}
          hint={t(
            'In the order of the tickets: {tickets}. An empty line leaves a ticket without a name: it shows the buyer’s.',
            { tickets: describeTickets(travelers) },
          )}
          rows={12}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
        />
      ) : (
        <NameFields
          travelers={travelers}
          buyer={buyer}
          hintOf={(index) =>
            saved[index] || buyer === '' ? undefined : t('The ticket has no name, so it shows the buyer’s.')
          }
          form={form}
        />
      )}
      {order.legs.some(({ needsPassengerList }) => needsPassengerList) && (
        <p>{t('The law asks for a passenger list on this trip. Correct the details there too.')}</p>
      )}
      {canMail && (
        <Checkbox
          {...form.field('mailTickets')}
          label={t('Mail the tickets again')}
          checked={form.values.mailTickets}
          onChange={({ target }) => form.change({ mailTickets: target.checked })}
        />
      )}
    </FormDialog>
  );
}

type Unnamed = { travelers: readonly Traveler[]; saved: readonly string[]; buyer: string };

/** A ticket that showed the buyer's name stays without one if nothing else was typed. */
function keepUnnamed(fields: NameValues, { travelers, saved, buyer }: Unnamed): NameValues {
  return Object.fromEntries(
    travelers.map(({ index }) => {
      const typed = fields[nameField(index)] ?? '';
      return [nameField(index), !saved[index] && typed.trim() === buyer ? '' : typed];
    }),
  );
}

function splitLines(list: string): string[] {
  return list
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

function checkList(list: string, tickets: number): { list?: string } {
  const names = splitLines(list);
  const long = names.findIndex((name) => name.length > PERSON_NAME_LENGTH);
  if (long >= 0) return { list: t('Line {line} is too long for a name.', { line: long + 1 }) };
  return names.length > tickets
    ? { list: t('There are {lines} lines for {tickets} tickets.', { lines: names.length, tickets }) }
    : {};
}

function readList(list: string, travelers: readonly Traveler[]): NameValues {
  const names = splitLines(list);
  return Object.fromEntries(travelers.map(({ index }, line) => [nameField(index), names[line] ?? '']));
}

/** "36 × Adult, 4 × Child". */
function describeTickets(travelers: readonly Traveler[]): string {
  const counts = new Map<string, number>();
  for (const { title } of travelers) counts.set(title, (counts.get(title) ?? 0) + 1);
  return [...counts].map(([title, count]) => t('{count} × {title}', { count, title })).join(', ');
}
