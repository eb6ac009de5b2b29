/** The body as JSON text, with the value at a dotted path written as given: `JSON.stringify` cannot write `NaN` or `1e999`. */
export function withText(body: object, path: string, text: string): string {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>(
    (value, name) => value[name] as Record<string, unknown>,
    copy,
  );
  parent[last] = '@here@';
  return JSON.stringify(copy).replace('"@here@"', () => text);
}

/** Dotted paths of every value in a body. */
export function leavesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, path === '' ? name : `${path}.${name}`),
  );
}
