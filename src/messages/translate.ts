import type { GetICUArgs } from '@schummar/icu-type-parser';
import format, { type CompiledMessage } from 'icu-minify/format';
import { getDateFormat, getNumberFormat, getPluralRules } from './intl.ts';

/**
 * A message as it stands in the source: its English text in ICU MessageFormat, with its context if it has one
 * (`source.ts`). It is also its key in the catalogues. The build of the web app compiles those with placeholders, so
 * that no parser is needed in the browser.
 */
export type MessageSource = string | BuiltMessage;
/** What the build makes of a message with placeholders or a context: its key and the compiled English text. */
export type BuiltMessage = readonly [key: string, english: CompiledMessage];
/** The compiled messages of a language, by the keys of their English texts. */
export type Catalogue = Readonly<Record<string, CompiledMessage>>;

/** A text without placeholders that `message` has marked, to be translated where it is shown. */
export type Message = string & { readonly isMessage: true };

type Values<Text extends string> = GetICUArgs<
  Text,
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: never }
>;
type Tags<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | Tags<Rest>
  : never;
type Arguments<Values> = Record<never, never> extends Values ? [] : [values: Values];
/** A literal or a marked message: a text that is only known at run time is in no catalogue. */
type Translatable<Text extends string> = Text extends Message ? Text : Literal<Text>;
/** Strings and template types have an index signature as keys, which no property is required by. */
type Literal<Text extends string> = Record<never, never> extends Record<Text, true> ? never : Text;

/**
 * Writes a message in a language.
 * @param text the English text, as a literal, with ICU placeholders for `values`; or what `message` has marked
 */
export type Translate = <const Text extends string>(
  text: Translatable<Text>,
  ...values: Text extends Message ? [] : Arguments<Values<Text>>
) => string;

/** Writes a message with tags, such as `Read <link>the terms</link>`; each tag is a function of what it contains. */
export type TranslateRich<Element, Written = (string | Element)[], Children = Written> = <
  const Text extends string,
>(
  text: Translatable<Text>,
  values: Values<Text> & Record<Tags<Text>, (children: Children) => Element>,
) => Written;

/** @returns the compiled message in the translator's language */
export type FindMessage = (source: MessageSource) => CompiledMessage;

/** Marks a text of a table for the catalogues. It is translated where it is shown: `t(column.title)`. */
export function message<const Text extends string>(
  text: Record<never, never> extends Values<Text> ? Literal<Text> : never,
): Text & Message {
  return text as unknown as Text & Message;
}

/** @param language of numbers and plurals, a language tag */
export function createTranslate(language: () => string, findMessage: FindMessage): Translate {
  const write = createTranslateRich<string>(language, findMessage);
  return (text, ...values) => write(text as never, (values as unknown[])[0] as never).join('');
}

/** @param language of numbers and plurals, a language tag */
export function createTranslateRich<Element>(
  language: () => string,
  findMessage: FindMessage,
): TranslateRich<Element> {
  return (text, values) => {
    const written = format<Element>(findMessage(text), language(), values as never, { formatters });
    return Array.isArray(written) ? written : [written];
  };
}

type Formatters = Parameters<typeof format>[3]['formatters'];

const formatters: Formatters = {
  getPluralRules: (language, options = {}) => getPluralRules(String(language), options),
  getNumberFormat: (language, options = {}) => getNumberFormat(String(language), options),
  getDateTimeFormat: (language, options = {}) => getDateFormat(String(language), options),
};
