import { t } from '#web/language/texts.ts';
import { Button, ButtonLink, type ButtonLinkProps } from '#web/ui/form/button.tsx';

/** `file`: address of the calendar file. */
export function AddToCalendar({ file }: { file: string }) {
  return (
    <Download icon="calendar" to={file}>
      {t('Add to calendar')}
    </Download>
  );
}

/** `pdf`: address of the tickets as PDF. */
export function PrintTickets({ pdf }: { pdf: string }) {
  return (
    <>
      <Download icon="download" to={pdf}>
        {t('Tickets as PDF')}
      </Download>
      <Button variant="quiet" block icon="print" onClick={() => window.print()}>
        {t('Print')}
      </Button>
    </>
  );
}

function Download(props: Pick<ButtonLinkProps, 'icon' | 'to' | 'children'>) {
  return <ButtonLink variant="quiet" block needsConnection download {...props} />;
}
