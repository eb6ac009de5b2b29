import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { AUDIT_ACTIONS } from '#contract/staff/audit/kinds.ts';
import { nameAuditAction } from '#sentences/audit.ts';
import { t } from '#web/language/texts.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { FilterFields } from '../filter-fields.tsx';
import { operatorToday } from '../operator-clock.ts';
import { peopleQuery } from '../people/people-query.ts';
import { type AuditSearch, auditPath, readAction } from './audit-search.ts';

/** Each choice is an address, so that it can be sent to others and the way back leads to the choice before. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const people = useQuery(peopleQuery).data ?? [];
  const navigate = useNavigate();
  const show = (change: Partial<AuditSearch>) => {
    void navigate(auditPath({ ...search, page: 1, ...change }), { preventScrollReset: true });
  };
  return (
    <FilterFields>
      <Select
        label={t('Person')}
        value={search.person}
        onChange={(event) => show({ person: event.target.value })}
        options={[
          { value: '', label: t('Everyone|all people who work here') },
          ...people.map(({ id, name }) => ({ value: id, label: name })),
          { value: 'command', label: t('Commands on the server') },
          { value: 'server', label: t('The server itself') },
        ]}
      />
      <Select
        label={t('Action')}
        value={search.action}
        onChange={({ target }) => show({ action: readAction(target.value) })}
        options={[
          { value: '', label: t('Everything') },
          { value: 'changes', label: t('What was done') },
          { value: 'views', label: t('Who looked at data') },
          ...AUDIT_ACTIONS.map((action) => ({ value: action, label: nameAuditAction(t, action) })),
        ]}
      />
      <DatePicker
        label={t('Day')}
        value={search.day}
        today={operatorToday()}
        max={operatorToday()}
        onChange={(day, problem) => {
          if (problem === null) show({ day });
        }}
      />
    </FilterFields>
  );
}
