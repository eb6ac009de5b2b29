/*
 * Shows what to do where the app cannot start: the browser does not know modules, cannot parse ours, or could not load
 * them. The app itself removes that text once it has started, and shows it when it fails on the way. Older browsers
 * must be able to run this script, so it is ES5.
 */

window.addEventListener(
  'error',
  function (event) {
    if (isModuleScript(event.target) || isOurs(event)) showStartHelp();
  },
  // The error of a script that did not load is told to its element and does not bubble.
  true,
);
if (!('noModule' in HTMLScriptElement.prototype)) showStartHelp();

function showStartHelp() {
  var help = document.getElementById('start-help');
  if (help) help.removeAttribute('hidden');
}

function isModuleScript(target: EventTarget | null) {
  return target instanceof HTMLScriptElement && target.type === 'module';
}

/** A syntax error names its file; an error of a browser's extension is no reason to show anything. */
function isOurs(event: ErrorEvent) {
  return (event.filename || '').indexOf(location.origin + '/') === 0;
}
