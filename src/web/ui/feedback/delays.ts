/** Every delay (ms) and distance (px) of the design system. */

/** A pending button shows its spinner only after this, so that quick answers don't flicker. */
export const PENDING_SPINNER_DELAY_MS = 300;

/** How long a copy button confirms. */
export const COPIED_SHOWN_MS = 2500;

export const TOOLTIP_SHOW_DELAY_MS = 200;
export const POPOVER_HIDE_DELAY_MS = 100;
export const MENU_HIDE_DELAY_MS = 400;

/** A closed popup stays in the page this long to fade out. */
export const POPUP_DISPOSE_MS = 150;

export const POPUP_DISTANCE_PX = 5;
export const POPOVER_OFFSET_PX = 10;

/** A second click on the control that closed a dialog or menu has no effect for this long. */
export const DOUBLE_CLICK_MS = 500;

/** The same for the days of the calendar: two clicks on a day within this time are one choice. */
export const DATE_CLICK_WINDOW_MS = 2000;
