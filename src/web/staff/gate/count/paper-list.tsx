import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { GateParty } from '#contract/gate/schemas.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { formatForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import { useStore } from '#web/platform/create-store.ts';
import { Button } from '#web/ui/form/button.tsx';
import { describeTitles } from '../answer/answer-texts.ts';
import { formatBoat } from '../boat-texts.ts';
import type { Boat } from '../boats.ts';
import type { GateDevice } from '../device/gate-device.ts';
import styles from './paper-list.module.css';

type PaperListProps = { device: GateDevice; boat: Boat };

/** Prints the parties of a boat, for when no device works. */
export function PaperList({ device, boat }: PaperListProps) {
  const [isPrinting, setIsPrinting] = useState(false);
  function print() {
    device.record({ type: 'print', sailing_id: boat.sailings[0].id });
    setIsPrinting(true);
  }

  useEffect(() => {
    if (!isPrinting) return;
    const end = () => setIsPrinting(false);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [isPrinting]);
  return (
    <>
      <Button variant="quiet" block icon="print" onClick={print}>
        {t('Print the list')}
      </Button>
      {isPrinting && createPortal(<Paper device={device} boat={boat} />, document.body)}
    </>
  );
}

function Paper({ device, boat }: PaperListProps) {
  const { pack } = useStore(device.state);
  const ids = new Set(boat.sailings.map(({ id }) => id));
  const parties = device
    .getList()
    .parties.values()
    .filter(({ sailing_id }) => ids.has(sailing_id))
    .toSorted((a, b) => a.contact_name.localeCompare(b.contact_name));
  return (
    <section className={styles.paper}>
      <h1>{formatBoat(boat)}</h1>
      <p>{pack && t('As of {time}', { time: formatForReader('dateAndClock', pack.as_of) })}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Aboard')}</th>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Reference')}</th>
            <th scope="col">{t('License plate')}</th>
            <th scope="col">{t('Tickets')}</th>
          </tr>
        </thead>
        <tbody>
          {parties.map((party) => (
            <PartyRow key={`${party.reference} ${party.sailing_id}`} party={party} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PartyRow({ party }: { party: GateParty }) {
  const valid = party.tickets.filter((ticket) => !isVoid(ticket));
  if (valid.length === 0) return null;
  const aboard = valid.filter(({ boarding }) => boarding !== null).length;
  return (
    <tr>
      <td>{aboard === 0 ? '☐' : t('{aboard} of {total}', { aboard, total: valid.length })}</td>
      <td dir="auto">{party.contact_name}</td>
      <td>{party.reference}</td>
      <td>{party.vehicle?.plate}</td>
      <td>{describeTitles(valid)}</td>
    </tr>
  );
}
