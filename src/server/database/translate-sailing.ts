import type { SailingStatement } from '#domain/sailings/exceptions.ts';
import { type Translations, translateTexts } from '#messages/translations.ts';
import type { StopBetween } from './stops-between.ts';

type Translated = { translations: Translations };
type SailingTexts = Record<'route' | 'origin' | 'destination' | 'vessel', Translated> & {
  statements: readonly SailingStatement[];
  stopsBetween: readonly StopBetween[] | null;
};

/** A sailing with the operator's names and notes, and what passengers are told, in a language. */
export function translateSailing<Sailing extends SailingTexts>(sailing: Sailing, language: string): Sailing {
  return {
    ...sailing,
    statements: sailing.statements.map((statement) => translateTexts(statement, language)),
    route: translateTexts(sailing.route, language),
    origin: translateTexts(sailing.origin, language),
    destination: translateTexts(sailing.destination, language),
    vessel: translateTexts(sailing.vessel, language),
    stopsBetween: sailing.stopsBetween?.map((stop) => translateTexts(stop, language)) ?? sailing.stopsBetween,
  };
}
