import { sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { pickTranslations, type Translations } from '#messages/translations.ts';
import type { Database } from './database.ts';
import { fareClasses, passengerTypes, taxRules, vehicleTypes } from './schema/timetable.ts';

type NamedLine = { kind: string; typeCode: string | null; description: string };
type NamedFareClass = { code: string; name: string };

/** The operator's names that orders keep, in the languages of their readers. */
export type SoldNames = {
  /** A line with the name of its passenger or vehicle type in a language. */
  translateLine<Line extends NamedLine>(line: Line, language: string): Line;
  translateFareClass(fareClass: NamedFareClass, language: string): string;
};

type Name = { code: string; name: string; translations: Translations };
type Names = Record<'passengerTypes' | 'vehicleTypes' | 'fareClasses', readonly Name[]>;

/** A name that the operator has changed since the sale stays as it was sold. */
export function createSoldNames({
  passengerTypes: passengers,
  vehicleTypes: vehicles,
  fareClasses: fares,
}: Names): SoldNames {
  return {
    translateLine: (line, language) => {
      const sold = { code: line.typeCode, name: line.description };
      return {
        ...line,
        description: translate(line.kind === 'vehicle' ? vehicles : passengers, sold, language),
      };
    },
    translateFareClass: (sold, language) => translate(fares, sold, language),
  };
}

function translate(
  names: readonly Name[],
  { code, name }: { code: string | null; name: string },
  language: string,
): string {
  const current = names.find((each) => each.code === code && each.name === name);
  return String(pickTranslations(current?.translations ?? {}, language).name ?? name);
}

export async function readSoldNames(db: Database): Promise<SoldNames> {
  const select = (
    kind: keyof Names,
    table: typeof passengerTypes | typeof vehicleTypes | typeof fareClasses,
  ) =>
    db
      .select({
        kind: sql<keyof Names>`${sql.raw(`'${kind}'`)}`,
        code: sql<string>`${table.code}`,
        name: sql<string>`${table.name}`,
        translations: sql<Translations>`${table.translations}`,
      })
      .from(table)
      .where(sql`${table.translations} <> '{}'`);
  const rows = await unionAll(
    select('passengerTypes', passengerTypes),
    select('vehicleTypes', vehicleTypes),
    select('fareClasses', fareClasses),
  );
  const pick = (kind: keyof Names) => rows.filter((row) => row.kind === kind);
  return createSoldNames({
    passengerTypes: pick('passengerTypes'),
    vehicleTypes: pick('vehicleTypes'),
    fareClasses: pick('fareClasses'),
  });
}

/** What the shares of prices are called in a language, by the operator's names. */
export async function readTaxNames(db: Database, language: string): Promise<ReadonlyMap<string, string>> {
  const { name, translations } = taxRules;
  const rows = await db
    .selectDistinct({ name, translations })
    .from(taxRules)
    .where(sql`${translations} <> '{}'`);
  return new Map(
    rows.flatMap((row) => {
      const { name: translated } = pickTranslations(row.translations, language);
      return translated === undefined ? [] : [[row.name, String(translated)]];
    }),
  );
}
