/** Paths of the ticket host's pages for search engines, which the server renders without the app. */
export const routePages = { all: '/routes', one: '/routes/{ports}' } as const;
