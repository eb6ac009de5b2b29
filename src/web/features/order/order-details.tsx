import { fillPath, ticketPages } from '#contract/paths.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { type Definition, DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { Accessibility } from '../sailing/accessibility.tsx';
import { EmailAddress } from '../site/email-address.tsx';
import { formatTime } from '../site/local-time.ts';
import { formatPhone } from '../site/phone.ts';
import { SentenceList } from '../site/sentence-list.tsx';
import { AssistanceCard } from './assistance/assistance-card.tsx';
import { listAllLegs } from './journeys.ts';
import { BoatTransfer, LegSummary } from './leg-summary.tsx';
import styles from './order-details.module.css';
import { nameLeg } from './order-status.ts';
import { PriceCard } from './price/price-card.tsx';

export type OrderDetailsProps = { order: Order };

/** Crossings, price, payment, contact and rules of one order. */
export function OrderDetails({ order }: OrderDetailsProps) {
  const all = listAllLegs(order);
  return (
    <Grid>
      {order.legs.map((leg) => (
        <Card key={leg.leg} title={nameLeg(leg, all) ?? 'Your crossing'}>
          <LegDetails leg={leg} legs={order.legs} />
        </Card>
      ))}
      {order.canceledLegs?.map((leg) => (
        <Card key={leg.leg} title={nameLeg(leg, all)} action={<Badge tone="danger">Canceled</Badge>}>
          <LegSummary crossing={leg} from={leg.origin.name} to={leg.destination.name} />
        </Card>
      ))}
      {order.assistance && <AssistanceCard assistance={order.assistance} />}
      <PriceCard order={order} />
      <Card title={`${order.fareClass.name} fare: the rules`}>
        <SentenceList sentences={order.policyText} />
      </Card>
      <Card title="Contact">
        <DefinitionList items={listContactDetails(order)} />
      </Card>
    </Grid>
  );
}

function LegDetails({ leg, legs }: { leg: Leg; legs: readonly Leg[] }) {
  const { origin } = leg;
  return (
    <Stack gap="sm">
      <BoatTransfer leg={leg} legs={legs} />
      <LegSummary crossing={leg} from={origin.name} to={leg.destination.name} />
      <DefinitionList
        items={[
          { term: 'Check in by', details: formatTime(leg.checkInClosesLocal, leg.departsZoneLabel) },
          { term: 'Boat', details: leg.vesselName },
          ...(origin.address ? [{ term: 'Terminal', details: origin.address }] : []),
        ]}
      />
      <Accessibility of={leg} />
      <p data-no-print="">
        <a className={styles.link} href={departuresLink(origin.code)}>
          <Icon name="ferry" />
          <span>Departures from {origin.name}</span>
        </a>
      </p>
      {origin.lat !== null && origin.lon !== null && (
        <p data-no-print="">
          <a
            className={styles.link}
            href={mapLink(origin.lat, origin.lon)}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="map-pin" />
            <span>
              Map of the <span className="visually-hidden">{origin.name} </span>terminal
            </span>
          </a>
        </p>
      )}
    </Stack>
  );
}

function listContactDetails({ contact, plate }: Order): Definition[] {
  return [
    { term: 'Name', details: contact.name },
    { term: 'Email', details: <EmailAddress>{contact.email}</EmailAddress> },
    ...(contact.phone ? [{ term: 'Phone', details: formatPhone(contact.phone) }] : []),
    ...(plate ? [{ term: 'License plate', details: <span translate="no">{plate}</span> }] : []),
  ];
}

/** On the ticket host, from either host. */
function departuresLink(code: string): string {
  return pageConfig().origins.tickets + fillPath(ticketPages.portDepartures, { code });
}

function mapLink(lat: number, lon: number): string {
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
}
