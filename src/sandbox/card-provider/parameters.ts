import type { Stripe } from 'stripe';
import { invalid } from './errors.ts';

/** Form parameters with `a[b][0]=c` nested. Lists are objects with numeric names. Without prototype. */
export type Parameters = { [name: string]: string | Parameters };

const deepest = 8;
const most = 1000;

/** Parses a form body or a query. Refuses deep nesting and very many names. */
export function parseParameters(encoded: string): Parameters {
  const root: Parameters = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(encoded)) {
    count += 1;
    const path = splitName(name);
    if (count > most || path.length > deepest) throw invalid('Too many parameters, or nested too deeply.');
    place(root, path, value, name);
  }
  return root;
}

function splitName(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket <= 0) return [name];
  return [
    name.slice(0, bracket),
    ...name
      .slice(bracket + 1)
      .replace(/\]$/, '')
      .split(']['),
  ];
}

function place(root: Parameters, path: string[], value: string, name: string): void {
  let level = root;
  for (const [index, step] of path.entries()) {
    const key = step === '' ? String(Object.keys(level).length) : step;
    if (index === path.length - 1) {
      level[key] = value;
      return;
    }
    const next = level[key] ?? Object.create(null);
    if (typeof next === 'string')
      throw invalid(`Invalid parameter: ${name.slice(0, 100)}`, name.slice(0, 100));
    level[key] = next;
    level = next;
  }
}

/** Refuses unknown parameters like the provider, so that typos are detected. */
export function allowOnly(parameters: Parameters, allowed: readonly string[]): void {
  for (const name of Object.keys(parameters)) {
    if (name === 'payment_method_types') {
      throw invalid(
        'The payment_method_types parameter is no longer supported in this API version. Use allowed_payment_method_types or automatic_payment_methods.',
        name,
        'payment_method_types_no_longer_supported',
      );
    }
    if (!allowed.includes(name)) {
      throw invalid(
        `Received unknown parameter: ${name.slice(0, 100)}`,
        name.slice(0, 100),
        'parameter_unknown',
      );
    }
  }
}

/** null if absent or empty (which means "unset"). */
export function readText(parameters: Parameters, name: string, longest = 5000): string | null {
  const value = parameters[name];
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid('Invalid string', name);
  if (value.length > longest) {
    throw invalid(
      `Invalid string: must be at most ${longest} characters`,
      name,
      'parameter_invalid_string_blank',
    );
  }
  if (value.includes('\0')) throw invalid('Invalid string: contains a NUL character', name);
  return value;
}

export function requireText(parameters: Parameters, name: string): string {
  const value = readText(parameters, name);
  if (value === null) throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
}

export function readInteger(parameters: Parameters, name: string, label = name): number | null {
  const value = readText(parameters, name);
  if (value === null) return null;
  if (!/^-?\d{1,15}$/.test(value)) {
    throw invalid(`Invalid integer: ${value.slice(0, 60)}`, label, 'parameter_invalid_integer');
  }
  return Number(value);
}

export function readFlag(parameters: Parameters, name: string): boolean | null {
  const value = readText(parameters, name);
  if (value === null) return null;
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value.slice(0, 60)}`, name);
  return value === 'true';
}

export function readChoice<Choice extends string>(
  parameters: Parameters,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = readText(parameters, name);
  if (value === null) return null;
  const choice = choices.find((candidate) => candidate === value);
  if (!choice) throw invalid(`Invalid ${name}: must be one of ${choices.join(', ')}`, name);
  return choice;
}

/** An absent group is read as an empty one. */
export function readGroup(parameters: Parameters, name: string): Parameters {
  const value = parameters[name];
  if (value === undefined || value === '') return Object.create(null);
  if (typeof value === 'string') throw invalid('Invalid object', name);
  return value;
}

export function readList(parameters: Parameters, name: string): string[] | null {
  const value = parameters[name];
  if (value === undefined || value === '') return null;
  if (typeof value === 'string') throw invalid('Invalid array', name);
  return Object.values(value).map((item) => {
    if (typeof item !== 'string') throw invalid('Invalid array', name);
    return item;
  });
}

/** Merges into the current metadata: an empty value removes its name, an empty `metadata` removes all. */
export function readMetadata(
  parameters: Parameters,
  current: Record<string, string> = {},
): Record<string, string> {
  if (parameters.metadata === undefined) return current;
  if (parameters.metadata === '') return {};
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(readGroup(parameters, 'metadata'))) {
    if (typeof value !== 'string')
      throw invalid('Metadata values must be strings', `metadata[${name.slice(0, 40)}]`);
    if (name.length > 40) throw invalid('Metadata keys must be at most 40 characters', 'metadata');
    if (value.length > 500)
      throw invalid('Metadata values must be at most 500 characters', `metadata[${name}]`);
    if (value === '') merged.delete(name);
    else merged.set(name, value);
  }
  if (merged.size > 50) throw invalid('Metadata can have at most 50 keys', 'metadata');
  return Object.fromEntries(merged);
}

/** The URL to redirect the browser to; http and https only. */
export function readReturnUrl(parameters: Parameters): string | null {
  const value = readText(parameters, 'return_url');
  if (value === null) return null;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw invalid('Not a valid URL', 'return_url', 'url_invalid');
  }
  return value;
}

/** The `address` group; null if it is unset. */
export function readAddress(parameters: Parameters): Stripe.Address | null {
  if (parameters.address === '' || parameters.address === undefined) return null;
  const address = readGroup(parameters, 'address');
  allowOnly(address, ['city', 'country', 'line1', 'line2', 'postal_code', 'state']);
  return {
    city: readText(address, 'city'),
    country: readText(address, 'country', 2),
    line1: readText(address, 'line1'),
    line2: readText(address, 'line2'),
    postal_code: readText(address, 'postal_code'),
    state: readText(address, 'state'),
  };
}
