import { fillPath, ticketPages } from '#contract/paths.ts';
import { listPriceLines } from '#domain/orders/price-lines.ts';
import { describeCard } from '#domain/payment-words.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { type Definition, DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Money } from '#web/ui/data/money.tsx';
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
import { ChangeOfBoats, LegSummary } from './leg-summary.tsx';
import styles from './order-details.module.css';
import { nameLeg } from './order-status.ts';
import { PriceLines } from './price-lines.tsx';
import { listAllLegs } from './ways.ts';

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
      {order.cancelledLegs?.map((leg) => (
        <Card key={leg.leg} title={nameLeg(leg, all)} action={<Badge tone="danger">Canceled</Badge>}>
          <LegSummary crossing={leg} from={leg.origin.name} to={leg.destination.name} />
        </Card>
      ))}
      {order.assistance && <AssistanceCard assistance={order.assistance} />}
      <Card title="Price">
        <PriceLines
          lines={listPriceLines(order.lines, { isPartlyCancelled: order.status === 'partly_cancelled' })}
          total={order.total}
          tax={order.tax}
          currency={order.currency}
        />
        <PaymentFacts order={order} />
      </Card>
      <Card title={`${order.fareClass.name} fare: the rules`}>
        <SentenceList sentences={order.policyText} />
      </Card>
      <Card title="Contact">
        <DefinitionList items={contactFacts(order)} />
      </Card>
    </Grid>
  );
}

function LegDetails({ leg, legs }: { leg: Leg; legs: readonly Leg[] }) {
  const { origin } = leg;
  return (
    <Stack gap="sm">
      <ChangeOfBoats leg={leg} legs={legs} />
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

function PaymentFacts({ order }: { order: Order }) {
  const { currency, payments, refunds } = order;
  const facts = [
    ...payments
      .filter(({ status }) => status === 'succeeded')
      .map((payment) => ({
        key: payment.id,
        term: `Paid by ${describeCard(payment)}`,
        details: <Money amount={payment.amount} currency={currency} />,
      })),
    ...refunds
      .filter(({ status }) => status !== 'failed')
      .map(({ id, destination, amount, status, ...card }) => ({
        key: id,
        term: `${status === 'succeeded' ? 'Refunded' : 'On its way back'} to ${describeCard({ method: destination, ...card })}`,
        details: <Money amount={amount} currency={currency} />,
      })),
  ];
  if (facts.length === 0) return null;
  return (
    <dl className={styles.payments}>
      {facts.map(({ key, term, details }) => (
        <div key={key} className={styles.payment}>
          <dt>{term}</dt>
          <dd>{details}</dd>
        </div>
      ))}
    </dl>
  );
}

function contactFacts({ contact, plate }: Order): Definition[] {
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
