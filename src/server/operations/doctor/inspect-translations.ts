import { and, eq, gte } from 'drizzle-orm';
import { LANGUAGES, listOfferedLanguages, matchLanguage } from '#messages/languages.ts';
import { type Translations, translationKey } from '#messages/translations.ts';
import type { Context } from '#server/context.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { passProducts, taxRules, vessels } from '#server/database/schema/timetable.ts';
import { operatorDay } from '#server/sailings/operator.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { type Finding, findingIf } from './finding.ts';

/** A text of the operator's: where it stands, its field, and its translations. */
type OperatorText = { place: string; field: string; text: unknown; translations: object };

const FIRST = 5;

/** The operator's texts that readers of other languages see untranslated. Names of ports, lines and boats, and addresses, may stay. */
export async function inspectTranslations(context: Pick<Context, 'db' | 'clock'>): Promise<Finding[]> {
  const { language: own } = await loadWebSettings(context);
  const texts = [...(await listSettings(context)), ...(await listTimetableTexts(context))];
  const others = listOfferedLanguages().filter((language) => language !== matchLanguage(own));
  return others.flatMap((language) => {
    const missing = texts.filter(
      ({ field, text, translations }) =>
        text !== null && String(text) !== '' && !(translationKey(field, language) in translations),
    );
    const first = missing.slice(0, FIRST).map(({ place, field }) => `${place} ${field}`);
    const more = missing.length > FIRST ? ', …' : '';
    return findingIf(missing.length > 0, {
      severity: 'warning',
      problem: `Texts without a translation for readers of ${LANGUAGES[language].name} (${language}): ${missing.length}. ${first.join(', ')}${more}.`,
      remedy: `Add columns such as name@${language} to the files, and fields such as tagline@${language} to the settings.`,
    });
  });
}

async function listSettings({ db }: Pick<Context, 'db'>): Promise<OperatorText[]> {
  const { brand, contact, terms } = await loadWebSettings({ db });
  const place = 'settings';
  return [
    { place, field: 'tagline', text: brand.tagline, translations: brand },
    { place, field: 'booth_hours', text: contact.booth_hours, translations: contact },
    { place, field: 'text', text: terms.text, translations: terms },
  ];
}

async function listTimetableTexts(context: Pick<Context, 'db' | 'clock'>): Promise<OperatorText[]> {
  const { db } = context;
  const { fareClasses, passengerTypes, vehicleTypes } = await loadCatalogue(db);
  const passes = await db.select().from(passProducts).where(eq(passProducts.active, true));
  return [
    ...listTexts('fare_classes.csv', fareClasses, ['name', 'summary']),
    ...listTexts('passenger_types.csv', passengerTypes, ['name']),
    ...listTexts('vehicle_types.csv', vehicleTypes, ['name']),
    ...listTexts(
      'passes.csv',
      passes.map(({ terms }) => ({ translations: {}, ...terms })),
      ['name', 'summary'],
    ),
    ...(await listTaxNames(db)),
    ...listTexts('vessels.csv', await db.select().from(vessels).where(eq(vessels.active, true)), [
      'accessibilityNotes',
      'pictureAlt',
    ]),
    ...(await listNotices(context)),
  ];
}

type Row = { code: string; translations: Translations };

function listTexts<Named extends Row>(
  file: string,
  rows: readonly Named[],
  fields: readonly (keyof Named & string)[],
): OperatorText[] {
  return rows.flatMap(({ code, translations, ...row }) =>
    fields.map((field) => ({
      ...{ place: `${file} ${code}`, field, translations },
      text: (row as Readonly<Record<string, unknown>>)[field],
    })),
  );
}

async function listTaxNames(db: Context['db']): Promise<OperatorText[]> {
  const { name, translations } = taxRules;
  const rows = await db.selectDistinct({ name, translations }).from(taxRules).orderBy(name);
  return rows.map((row) => ({
    place: 'taxes.csv',
    field: 'name',
    text: row.name,
    translations: row.translations,
  }));
}

/** Those of today and later. */
async function listNotices(context: Pick<Context, 'db' | 'clock'>): Promise<OperatorText[]> {
  const isAhead = gte(sailingExceptions.untilDay, await operatorDay(context));
  const rows = await context.db
    .select()
    .from(sailingExceptions)
    .where(and(eq(sailingExceptions.source, 'file'), isAhead));
  return rows.map(({ fromDay, kind, text, translations }) => ({
    ...{ place: `exceptions.csv ${fromDay} ${kind}`, field: 'text', text, translations },
  }));
}
