/** Regions of ISO 3166 that no passport is from: unions, reserved codes and islands of a country. */
const OTHERS = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The countries with their names in a language, by name. */
export function listCountries(language: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes
    .flatMap((value) => {
      const label = OTHERS.has(value) || isFormer(value) ? undefined : names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .toSorted((a, b) => a.label.localeCompare(b.label, language));
}

/** A code that was replaced: SU is written RU now. */
function isFormer(code: string): boolean {
  return new Intl.Locale(`und-${code}`).region !== code;
}
