/** Names of the Trusted Types policies through which our own code passes scripts and markup to the browser. */
export const TRUSTED_SCRIPTS = 'known-scripts';
export const TRUSTED_MARKUP = 'saved-picture';
