import { boot } from './app/boot.ts';
import { start } from './app/start.tsx';
import { openAccountData } from './platform/saved-data/account-data.ts';
import { endRestoredSession, endRestoredSessionLate } from './platform/saved-data/end-restored-session.ts';
import { findFirstPaintResult } from './platform/session/first-paint-result.ts';
import { routes } from './portal/routes.tsx';

boot(async () => {
  const { firstPaint, endedToken } = findFirstPaintResult();
  // Saved data is painted before the app takes the processor.
  await firstPaint;
  if (endedToken) await leaveEnded(endedToken);
  await start(routes, { openSavedData: openAccountData });
});

/** Ends a session that was signed out of but whose cookie came back; late, if that is known only after the start. */
async function leaveEnded(endedToken: Promise<string | null>): Promise<void> {
  const token = await Promise.race([endedToken, undefined]);
  if (token) endRestoredSession(token);
  else if (token === undefined) {
    findFirstPaintResult().signedOutToken = endedToken.then((late) => {
      if (late !== null) endRestoredSessionLate(late);
      return late;
    });
  }
}
