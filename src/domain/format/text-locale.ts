/** The locale for dates and money in the product's English texts: the operator's language if it is English. */
export function chooseTextLocale(language: string): string {
  return /^en(-|$)/i.test(language) ? language : 'en-US';
}

/** Of the texts that commands print. */
export const COMMAND_LANGUAGE = 'en-US';
