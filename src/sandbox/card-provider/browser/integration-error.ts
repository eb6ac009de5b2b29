/** The merchant's page used the library incorrectly; thrown, because a retry does not help. */
export class IntegrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IntegrationError';
  }
}

export function requireObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new IntegrationError(`Invalid value for ${what}: an object is expected.`);
  return { ...value };
}
