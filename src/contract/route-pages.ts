/** Paths of the ticket host's pages for search engines, which the server renders without the app. */
export const routePages = { all: '/routes', one: '/routes/{ports}' } as const;

/** How to reach the operator, and what customers can do themselves; rendered without the app too. */
export const HELP_PATH = '/help';
