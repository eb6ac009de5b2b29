import type { FarePolicy } from '#contract/catalogue.ts';
import { formatMoney } from './money.ts';

/** A fare's rules in sentences, most useful first, as shown before paying and kept on the order. */
export function describePolicy(policy: FarePolicy, currency: string): string[] {
  return [
    ...cancelSentences(policy.cancel, currency),
    changeSentence(policy.change, currency),
    noShow(policy),
  ];
}

function cancelSentences(tiers: FarePolicy['cancel'], currency: string): string[] {
  const giving = tiers
    .filter((tier) => tier.refund_bp > 0)
    .toSorted((a, b) => b.until_minutes_before - a.until_minutes_before);
  const latest = giving.at(-1);
  if (!latest) return ['No money back when you cancel.'];
  const sentences = giving.map((tier) => {
    const share = tier.refund_bp === 10_000 ? 'full refund' : `${percent(tier.refund_bp)} back`;
    const fee = tier.fee > 0 ? `, less ${formatMoney(tier.fee, currency)}` : '';
    return `Cancel until ${beforeDeparture(tier.until_minutes_before)}: ${share}${fee}.`;
  });
  return latest.until_minutes_before > 0 ? [...sentences, 'After that, no money back.'] : sentences;
}

function changeSentence(change: FarePolicy['change'], currency: string): string {
  if (!change.allowed) return 'No changes after buying.';
  const until = beforeDeparture(change.until_minutes);
  return change.fee > 0
    ? `Change your sailing until ${until} for ${formatMoney(change.fee, currency)}.`
    : `Change your sailing free of charge until ${until}.`;
}

function noShow({ no_show: rule }: FarePolicy): string {
  return rule === 'travel_next_same_day'
    ? 'Missed the boat? Take any later one on the same day, if there is room.'
    : 'The ticket is lost if you miss the boat.';
}

function percent(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

/** "24 hours before departure"; whole days from two days up. */
function beforeDeparture(minutes: number): string {
  if (minutes <= 0) return 'departure';
  return `${duration(minutes)} before departure`;
}

function duration(minutes: number): string {
  if (minutes >= 2880 && minutes % 1440 === 0) return counted(minutes / 1440, 'day');
  if (minutes % 60 === 0) return counted(minutes / 60, 'hour');
  if (minutes < 60) return counted(minutes, 'minute');
  return `${counted(Math.floor(minutes / 60), 'hour')} ${counted(minutes % 60, 'minute')}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
