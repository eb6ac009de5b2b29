import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { type Translations, translateTexts } from '#messages/translations.ts';
import { textsIn } from '#server/core/texts.ts';
import type { CatalogueRecord } from './queries.ts';

/** The catalogue with the operator's texts in a language. */
export function translateCatalogue(catalogue: CatalogueRecord, language: string): CatalogueRecord {
  const translateAll = <Row extends { translations: Translations }>(rows: readonly Row[]) =>
    rows.map((row) => translateTexts(row, language));
  const t = textsIn(language);
  const ports = translateAll(catalogue.ports);
  const nameOf = (portId: string) => ports.find(({ id }) => id === portId)?.name ?? '';
  return {
    ...catalogue,
    ports,
    routes: translateAll(catalogue.routes).map((route) => ({
      ...route,
      name: t('{origin} to {destination}', {
        origin: nameOf(route.originPortId),
        destination: nameOf(route.destinationPortId),
      }),
    })),
    vessels: translateAll(catalogue.vessels),
    passengerTypes: translateAll(catalogue.passengerTypes),
    vehicleTypes: translateAll(catalogue.vehicleTypes),
    fareClasses: translateAll(catalogue.fareClasses),
  };
}

/** The terms of a pass in a language, as they are sent. */
export function translatePass(terms: PassTerms, language: string): PassTerms {
  const { translations: _, ...sent } = translateTexts(terms, language);
  return sent;
}
