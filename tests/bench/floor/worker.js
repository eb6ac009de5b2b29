// Keeps the page and what it loads, and answers from there at once. Data is the page's own business.
self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== 'GET' || pathname.startsWith('/api/')) return;
  event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(event.request)));
});

async function keep() {
  const cache = await caches.open('floor');
  const page = await (await fetch('/')).text();
  const scripts = await Promise.all(assetsIn(page).map(async (path) => (await fetch(path)).text()));
  await cache.addAll(['/', ...new Set([page, ...scripts].flatMap(assetsIn))]);
}

function assetsIn(text) {
  return [...text.matchAll(/["'`]\.?\/?((?:assets\/)?[\w-]+-[\w-]{8}\.(?:js|css))["'`]/g)].map(
    ([, path]) => `/${path.startsWith('assets/') ? path : `assets/${path}`}`,
  );
}
