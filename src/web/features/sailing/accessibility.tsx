import { t } from '#web/language/texts.ts';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { SentenceList } from '../site/sentence-list.tsx';
import { VesselLink } from './place-links.tsx';

/** Absent where a device saved the sailing with an earlier release. */
type Sentences = { accessibility?: readonly string[] | undefined };

/** What the operator says about boarding and facilities of a crossing; nothing if it says nothing. */
export function Accessibility({ of: { accessibility = [] } }: { of: Sentences }) {
  if (accessibility.length === 0) return null;
  return (
    <Disclosure summary={t('Accessibility')} data-no-print="">
      <SentenceList sentences={accessibility} />
    </Disclosure>
  );
}

type BoatsAccessibilityProps = {
  boats: readonly (Sentences & { vesselName: string })[];
  /** One level below the heading above the list. */
  titleAs?: 'h2' | 'h3';
};

/** The same for a list of sailings, each boat once for the same ports. */
export function BoatsAccessibility({ boats, titleAs: Title = 'h3' }: BoatsAccessibilityProps) {
  const byText = new Map(
    boats
      .filter(({ accessibility = [] }) => accessibility.length > 0)
      .map((boat) => [[boat.vesselName, ...(boat.accessibility ?? [])].join(' '), boat]),
  );
  if (byText.size === 0) return null;
  return (
    <Disclosure summary={t('Accessibility of ports and boats')}>
      <Stack gap="sm">
        {[...byText].map(([key, { vesselName, accessibility = [] }]) => (
          <section key={key}>
            <Title>
              <VesselLink name={vesselName} />
            </Title>
            <SentenceList sentences={accessibility} />
          </section>
        ))}
      </Stack>
    </Disclosure>
  );
}
