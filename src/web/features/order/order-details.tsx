import { fillPath, ticketPages } from '#contract/paths.ts';
import { rich } from '#web/language/rich.ts';
import { hidden } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { type Definition, DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Fold, FoldGroup } from '#web/ui/layout/fold.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { Accessibility } from '../sailing/accessibility.tsx';
import { TerminalLink, VesselLink } from '../sailing/place-links.tsx';
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
import { OrderReceipts } from './receipts/order-receipts.tsx';
import { isPast } from './trips.ts';

/** The crossings of one order. Folded below tickets, except on wide screens. */
export function OrderCrossings({ order }: { order: Order }) {
  const isWide = useIsWide();
  const startsOpen = isWide || isUnfolded(order);
  const all = listAllLegs(order);
  return (
    <FoldGroup>
      {order.legs.map((leg) => (
        <Fold
          key={leg.leg}
          title={nameLeg(leg, all) ?? t('Crossing')}
          note={leg.vesselName}
          startsOpen={startsOpen}
        >
          <LegDetails leg={leg} legs={order.legs} />
        </Fold>
      ))}
      {order.canceledLegs?.map((leg) => (
        <Fold
          key={leg.leg}
          title={
            <>
              {nameLeg(leg, all)} <Badge tone="danger">{t('Canceled|tickets')}</Badge>
            </>
          }
          startsOpen={startsOpen}
        >
          <LegSummary crossing={leg} from={leg.origin.name} to={leg.destination.name} />
        </Fold>
      ))}
      {order.assistance && <AssistanceCard assistance={order.assistance} startsOpen={startsOpen} />}
    </FoldGroup>
  );
}

/** Price, payment, rules and contact of one order, for a group of folds. Folded below tickets. */
export function OrderTerms({ order }: { order: Order }) {
  const startsOpen = isUnfolded(order);
  return (
    <>
      <PriceCard order={order} startsOpen={startsOpen || isPast(order) || order.status === 'canceled'} />
      <Fold title={t('{fare} fare: the rules', { fare: order.fareClass.name })} startsOpen={startsOpen}>
        <SentenceList sentences={order.policyText} />
      </Fold>
      <Fold title={t('Contact')} note={order.contact.name} startsOpen={startsOpen}>
        <DefinitionList items={listContactDetails(order)} />
      </Fold>
    </>
  );
}

/** Crossings and terms of an order without tickets. */
export function OrderDetails({ order }: { order: Order }) {
  return (
    <Stack gap="sm">
      <OrderCrossings order={order} />
      <FoldGroup>
        <OrderTerms order={order} />
        <OrderReceipts order={order} />
      </FoldGroup>
    </Stack>
  );
}

function isUnfolded({ tickets }: Order): boolean {
  return tickets.length === 0;
}

function LegDetails({ leg, legs }: { leg: Leg; legs: readonly Leg[] }) {
  const { origin } = leg;
  return (
    <Stack gap="sm">
      <BoatTransfer leg={leg} legs={legs} />
      <LegSummary crossing={leg} from={origin.name} to={leg.destination.name} />
      <DefinitionList
        items={[
          { term: t('Check in by'), details: formatTime(leg.checkInClosesLocal, leg.departsZoneLabel) },
          { term: t('Boat'), details: <VesselLink name={leg.vesselName} /> },
          ...(origin.address
            ? [
                {
                  term: t('Terminal'),
                  details: <TerminalLink code={origin.code}>{origin.address}</TerminalLink>,
                },
              ]
            : []),
        ]}
      />
      <Accessibility of={leg} />
      <p data-no-print="">
        <a className={styles.link} href={departuresLink(origin.code)}>
          <Icon name="ferry" />
          <span>{t('Departures from {port}', { port: origin.name })}</span>
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
              {rich('Map of the <hidden>{port} </hidden>terminal', {
                hidden,
                port: origin.name,
              })}
            </span>
          </a>
        </p>
      )}
    </Stack>
  );
}

function listContactDetails({ contact: { name, email, phone }, plate }: Order): Definition[] {
  return [
    { term: t('Name'), details: name },
    { term: t('Email'), details: email && <EmailAddress>{email}</EmailAddress> },
    { term: t('Phone'), details: formatPhone(phone) },
    { term: t('License plate'), details: plate && <span translate="no">{plate}</span> },
  ].filter(({ details }) => details);
}

/** On the ticket host, from either host. */
function departuresLink(code: string): string {
  return pageConfig().origins.tickets + fillPath(ticketPages.portDepartures, { code });
}

function mapLink(lat: number, lon: number): string {
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
}
