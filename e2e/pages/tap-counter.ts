import type { Page } from '@playwright/test';

/**
 * Counts what a customer does on a phone: taps, and fields typed into. A tap into a field is part of typing. What happens
 * in the card provider's form is not counted.
 */
export class TapCounter {
  #taps = 0;
  #fields = new Set<string>();

  /** Counts from the page's next navigation on. The page's context needs a touch screen. */
  async watch(page: Page): Promise<void> {
    await page.exposeFunction('noteTap', () => {
      this.#taps += 1;
    });
    await page.exposeFunction('noteField', (name: string) => this.#fields.add(name));
    await page.addInitScript(() => {
      type Notes = { noteTap(): void; noteField(name: string): void };
      const notes = globalThis as unknown as Notes;
      const isField = ({ target }: Event) =>
        target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type);
      if (window.top !== window) return;
      document.addEventListener(
        'pointerdown',
        (event) => {
          if (event.pointerType === 'touch' && !isField(event)) notes.noteTap();
        },
        true,
      );
      document.addEventListener(
        'input',
        (event) => {
          if (isField(event)) notes.noteField((event.target as HTMLInputElement).id);
        },
        true,
      );
    });
  }

  /** The actions since the last call. */
  take(): { taps: number; fields: number } {
    const counted = { taps: this.#taps, fields: this.#fields.size };
    this.#taps = 0;
    this.#fields.clear();
    return counted;
  }
}
