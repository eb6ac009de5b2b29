// Imports nothing, because start-check.ts runs in browsers that know no newer syntax.

/** The id of the template with the app's script, which a page that paints a snapshot inserts after the first frame. */
export const APP_SCRIPT = 'app-script';
/** The id of the template with the first-paint script, which start-check.ts inserts. */
export const FIRST_PAINT_SCRIPT = 'first-paint-script';
/** The name of the `<meta>` with the version of the styles that snapshots need. */
export const SNAPSHOT_STYLES = 'snapshot-styles';
