let language = 'en-US';

/** Sets the operator's language, which decides how dates and money are written. Call it before anything is rendered. */
export function setTextLanguage(next: string): void {
  language = next;
}

export function textLanguage(): string {
  return language;
}
