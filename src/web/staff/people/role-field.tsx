import { STAFF_ROLES, type StaffRole } from '#contract/staff/permissions.ts';
import { type Message, message } from '#messages/translate.ts';
import { nameRole } from '#sentences/staff.ts';
import { t } from '#web/language/texts.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';

const ABOUT: Readonly<Record<StaffRole, Message>> = {
  gate: message('Checks tickets. Sees no amounts.'),
  desk: message('Sells tickets and sees orders. Does not check tickets.'),
  office: message('Sees and refunds orders, changes sailings, exports.'),
  manager: message('May do everything, also invite people and read the audit log.'),
};

export function RoleField({ value, onChange }: { value: StaffRole; onChange: (role: StaffRole) => void }) {
  return (
    <RadioCards
      legend={t('Role')}
      value={value}
      onChange={onChange}
      options={STAFF_ROLES.map((role) => ({
        value: role,
        label: nameRole(t, role),
        description: t(ABOUT[role]),
      }))}
    />
  );
}
