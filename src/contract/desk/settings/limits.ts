/** How many versions of the settings can be published again, with the current one. */
export const KEPT_VERSIONS = 20;
