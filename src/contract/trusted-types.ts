/** Names of the policies through which a page's own code hands the browser what it is to run or to read as markup. */
export const TRUSTED_SCRIPTS = 'known-scripts';
export const TRUSTED_MARKUP = 'saved-picture';
